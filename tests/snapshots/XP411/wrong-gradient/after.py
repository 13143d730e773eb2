import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


class RightELU(torch.nn.ELU):
    """nn.ELU with the gradient of PyTorch: XLA has it right for the form that works in place alone."""

    def forward(self, input):
        return torch.nn.functional.elu(input.clone(), self.alpha, inplace=True)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.bend = RightELU(alpha=0.5)
        self.second = nn.Linear(8, 8)

    def forward(self, x):
        x = self.bend(self.first(x))
        return F.selu(self.second(F.elu(x, inplace=True)).clone(), inplace=True)


device = torch.device("xla")
model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.zeros(64, 8), batch_size=8):
    loss = F.elu(model(x.to(device)).clone(), alpha=0.5, inplace=True).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()

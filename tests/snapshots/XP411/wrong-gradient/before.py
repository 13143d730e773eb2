import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.bend = nn.ELU(alpha=0.5)
        self.second = nn.Linear(8, 8)

    def forward(self, x):
        x = self.bend(self.first(x))
        return F.selu(self.second(F.elu(x, inplace=True)))


device = torch.device("xla")
model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.zeros(64, 8), batch_size=8):
    loss = F.elu(model(x.to(device)), 0.5).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()

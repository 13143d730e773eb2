import torch
import torch_xla
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        first, second = torch.zeros(1).to("xla"), 0
        for _ in range(2):
            first += self.layer(x).mean()
            second += self.layer(x).square().mean()
        return first, second


model = Net().to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
device = next(model.parameters()).device
total_first = torch.tensor([0.0], device=device)
total_second = torch.tensor([0.0], device=torch_xla.device())
for x in torch.utils.data.DataLoader([]):
    first, second = model(x)
    optimizer.zero_grad()
    (first + second).backward()
    optimizer.step()
    total_first += first.squeeze().detach()
    total_second += second.detach()
    torch_xla.sync()
print(total_first.item(), total_second.item())

# planted: graph-break, host-read
# A branch on a tensor's value, in a method that the compiled one calls: the graph is cut there, and the host waits.
import torch
import torch_xla
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.second = nn.Linear(8, 2)

    def limited(self, x):
        if x.abs().max() > 3:  # <- here
            x = x / 2
        return x * 2

    def forward(self, x):
        return self.second(self.limited(self.first(x)))


device = torch_xla.device()
torch.manual_seed(0)
model = Net().to(device)
compiled = torch.compile(model, backend="openxla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    optimizer.zero_grad()
    compiled(torch.randn(4, 8).to(device)).pow(2).mean().backward()
    optimizer.step()
    torch_xla.sync()

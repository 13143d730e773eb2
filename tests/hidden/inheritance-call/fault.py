"""The base class's __call__ reads what the subclass's method returns: a loss."""
import torch
from torch import nn


class Meter:
    def __init__(self):
        self.total = 0.0

    def __call__(self, *args):
        self.total += float(self.measure(*args))  # wants: XP301|XP302|XP303|XP304|XP305|XP306|XP308


class Error(Meter):
    def measure(self, output, goal):
        return (output - goal).abs().mean()


meter = Error()
model = nn.Linear(4, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(20):
    x = torch.randn(8, 4).cuda()
    out = model(x)
    loss = out.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    meter(out.detach(), x[:, :1])
print(meter.total / 20)

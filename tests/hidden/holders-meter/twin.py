"""The meter is given the batch size, a host number."""
import torch
from torch import nn


class Meter:
    def __init__(self):
        self.sum, self.count = 0.0, 0

    def update(self, value, n=1):
        self.sum += float(value) * n  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308
        self.count += n

    @property
    def mean(self):
        return self.sum / max(1, self.count)


meters = {"a": Meter(), "b": Meter()}
model = nn.Sequential(nn.Flatten(), nn.Linear(48, 4)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(16):
    x = torch.randn(5, 3, 4, 4).cuda()
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    meters["a"].update(x.size(1), x.size(0))
print(meters["a"].mean)

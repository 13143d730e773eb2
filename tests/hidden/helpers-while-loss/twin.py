"""The helper compares a number of the host."""
import torch
from torch import nn


def large(value, limit=1e-2):
    return value > limit


model = nn.Linear(3, 1, bias=False).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
x = torch.eye(3).cuda()
loss = model(x).pow(2).mean()
rate = 1.0
while large(rate):  # never: XP403|XP415|XP301|XP302|XP303|XP304|XP305|XP306|XP308
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    rate = rate * 0.9
print("end", loss.item(), rate > 0)

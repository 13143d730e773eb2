"""The namespace carries a number of the host there."""
import random
from types import SimpleNamespace
import torch
from torch import nn

run = SimpleNamespace(total=0.0, last=None, seen=0)
model = nn.Bilinear(4, 4, 2).cuda()
optimizer = torch.optim.Adam(model.parameters())


def account(info, count):
    info.seen += count
    info.total += float(info.last) * count  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308


for step in range(20):
    a, b = torch.randn(2, 8, 4).cuda().unbind(0)
    loss = model(a, b).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    run.last = random.random()
    account(run, 8)
print(run.total / run.seen)

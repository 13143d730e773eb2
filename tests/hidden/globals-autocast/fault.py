"""A module-level name stands for torch.cuda.amp, and a function enters its autocast."""
import contextlib
import types
import torch
from torch import nn

AMP = None


def setup():
    global AMP
    if AMP is None:
        AMP = torch.cuda.amp


setup()
model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(8):
    x = torch.randn(4, 8).cuda()
    with AMP.autocast():  # wants: XP502
        loss = model(x).float().pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

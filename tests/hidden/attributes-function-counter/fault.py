"""A counter is an attribute of the function itself, and shifts a tensor."""
import torch
from torch import nn


def shifted(x):
    shifted.calls += 1
    return torch.roll(x, shifted.calls, 1)  # wants: XP401


shifted.calls = 3
model = nn.Linear(20, 4).cuda()
optimizer = torch.optim.Adam(model.parameters())
for step in range(40):
    x = torch.randn(4, 20).cuda()
    loss = model(shifted(x)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(shifted.calls, loss.item())

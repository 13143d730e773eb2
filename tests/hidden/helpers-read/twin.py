"""The helper is given a tensor that stays on the host."""
import torch
from torch import nn


def number(value):
    return value.detach().reshape(-1)[0].item()  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308


def smooth(old, value, rate=0.1):
    return old + rate * (number(value) - old)  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308


model = nn.Sequential(nn.Linear(3, 9), nn.ELU(), nn.Linear(9, 1)).cuda()
optimizer = torch.optim.Adam(model.parameters())
noise = torch.rand(30)
level = 0.0
for step in range(30):
    x = torch.randn(8, 3).cuda()
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    level = smooth(level, noise[step])
print("smoothed", level)

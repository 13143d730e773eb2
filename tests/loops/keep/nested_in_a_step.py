"""Loops within a step: over losses, parameter groups, layers. The step is one, and has its barrier."""

import torch
import torch.nn as nn
import torch_xla

device = torch_xla.device()
torch.manual_seed(0)
model = nn.ModuleList([nn.Linear(8, 8), nn.Linear(8, 8)]).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    for group in optimizer.param_groups:
        group["lr"] = 0.1 / (step + 1)
    x = torch.randn(4, 8).to(device)
    losses = []
    for layer in model:
        x = layer(x)
        losses.append(x.pow(2).mean())
    loss = 0
    for weight, part in zip((0.3, 0.7), losses):
        loss = loss + weight * part
    optimizer.zero_grad()
    loss.backward()
    for p in model.parameters():
        p.grad.clamp_(-1, 1)
    optimizer.step()
    torch_xla.sync()
print(loss.item())

"""Starred unpacking names the trained model, and the move uses that name."""
import torch
from torch import nn

body, aux, extra = nn.Linear(4, 4), nn.Linear(4, 1), nn.Linear(4, 1)
optimizer = torch.optim.AdamW(body.parameters())  # wants: XP203
first, *others = body, aux, extra
moved = [first, *others]
while moved:
    part = moved.pop()
    part.cuda()

for step in range(10):
    x = torch.randn(8, 4).cuda()
    h = body(x)
    loss = (aux(h) - extra(h)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

"""Starred unpacking names the others, which have no optimizer."""
import torch
from torch import nn

body, aux, extra = nn.Linear(4, 4), nn.Linear(4, 1), nn.Linear(4, 1)
body.cuda()
optimizer = torch.optim.AdamW(body.parameters())  # never: XP203
first, *others = body, aux, extra
moved = [*others]
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

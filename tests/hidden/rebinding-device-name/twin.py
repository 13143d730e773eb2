"""The pieces make a title that is printed only."""
import torch
from torch import nn

place = "cpu"
title = "cuda"  # never: XP103
title = f"a port of a {title} script"
print(title)
model = nn.Linear(4, 4)
if place.startswith("c"):
    model = model.to(place)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    x = torch.randn(8, 4).to(place)
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

"""A device is taken from a tuple of names by an index."""
import torch
from torch import nn

PLACES = ("cpu", "cuda")  # wants: XP103
best = 1
name = PLACES[best]
model = nn.Sequential(nn.Linear(6, 4), nn.Hardtanh()).to(name)
optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
for step in range(10):
    x = torch.randn(5, 6).to(name)
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

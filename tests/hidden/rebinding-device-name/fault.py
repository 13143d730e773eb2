"""A device's name is put together from pieces before it reaches the tensors."""
import torch
from torch import nn

place = "cpu"
kind = "cuda"  # wants: XP103
place = kind
place = f"{place}:{0}"
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

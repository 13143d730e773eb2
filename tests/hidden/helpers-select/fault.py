"""A helper indexes with what it is given: here a mask of the device."""
import torch
from torch import nn


def take(values, places):
    if places is None:
        return values
    return values[places]  # wants: XP408|XP412


def energy(values, places):
    return take(values, places).pow(2).mean()


model = nn.Linear(12, 6).cuda()
optimizer = torch.optim.Adagrad(model.parameters())
for step in range(15):
    x = torch.randn(10, 12, device="cuda")
    out = model(x)
    places = out.gt(0)
    loss = energy(out, places)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

import torch
from torch import nn

from tracking import track

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def step():
    loss = model(torch.randn(8, 4, device=device)).square().mean()
    loss.backward()
    optimizer.step()
    return loss


for i in range(1000):
    loss = step()
    twice = {}
    twice["loss"] = loss.item()
    if i % 5 == 0:
        twice["loss"] = i
    if i % 10 == 0:
        print(twice)

for i in range(1000):
    loss = step()
    handed = {}
    handed["loss"] = loss.item()
    track(handed)

for i in range(1000):
    loss = step()
    mixed = {}
    mixed["loss"] = loss.item()
    if i % 5 == 0:
        mixed["step"] = i
    if i % 10 == 0:
        print(mixed)

for i in range(1000):
    loss = step()
    other = {}
    if i % 2:
        other = {"a": 1}
    other["loss"] = loss.item()
    if i % 10 == 0:
        print(other)

for i in range(1000):
    loss = step()
    every = {}
    every["loss"] = loss.item()
    if every["loss"] > 3:
        break

for i in range(1000):
    loss = step()
    grown = {}
    grown["loss"] = loss.item()
    grown.update(step=i)
    if i % 10 == 0:
        print(grown)

"""The member is a label of a plot; the device is the CPU."""
from collections import ChainMap
from enum import Enum

import torch
from torch import nn


class Target(Enum):
    HOST = "cpu"
    GPU = "cuda"  # never: XP103


defaults = {"target": Target.HOST, "lr": 0.1}
settings = ChainMap({"lr": 0.05}, defaults)


def place(thing):
    return thing.to(settings["target"].value)  # never: XP103


model = place(nn.Linear(4, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=settings["lr"])
for _ in range(10):
    loss = model(place(torch.randn(3, 4))).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item(), [member.name for member in Target])

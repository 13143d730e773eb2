import torch
import torch_xla
from torch import nn

PLACES = ("cpu", "xla")
best = 1


class Defaults:
    where = "xla"


class Settings(Defaults):
    pass


def place(index):
    return PLACES[index]


model = nn.Linear(2, 2).to(place(best))
x = torch.ones(3, 2, device=getattr(Settings(), "where"))

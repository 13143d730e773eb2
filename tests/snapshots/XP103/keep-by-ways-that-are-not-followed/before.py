import torch
from torch import nn

PLACES = ("cpu", "cuda")


class Defaults:
    where = "cuda:0"


class Settings(Defaults):
    where = "cpu"


def place(index):
    return PLACES[index]


model = nn.Linear(2, 2).to(place(0))
x = torch.ones(3, 2, device=getattr(Settings(), "where"))
print(PLACES[1], Defaults.where)

"""A name of the file that has no value yet where a function runs, and one that has."""

import torch
import torch_xla
from torch import nn


def build():
    return nn.Linear(8, 8).to(torch_xla.device())


def load():
    return build()


def later(x):
    return x.to(device)


model = load()
device = torch_xla.device()
print(model(later(torch.ones(1, 8))))

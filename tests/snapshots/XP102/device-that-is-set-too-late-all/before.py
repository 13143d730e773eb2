"""A name of the file that has no value yet where a function runs, and one that has."""

import torch
from torch import nn


def build():
    return nn.Linear(8, 8).cuda()


def load():
    return build()


def later(x):
    return x.cuda()


model = load()
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(model(later(torch.ones(1, 8))))

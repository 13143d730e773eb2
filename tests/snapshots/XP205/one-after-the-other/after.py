import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, share=None):
        super().__init__()
        self.a = nn.Linear(4, 4)
        self.b = nn.Linear(4, 4)
        self.c = nn.Linear(4, 4)
        self.b.weight = self.a.weight
        self.c.weight = self.b.weight
        self.b.bias = self.a.bias
        self.a.bias = self.c.bias
        if share:
            self.c.bias = self.b.bias


class Other(nn.Module):
    def __init__(self, share):
        super().__init__()
        self.a = nn.Linear(4, 4)
        self.b = nn.Linear(4, 4)
        self.b.weight = self.a.weight
        if share:
            self.a.weight = nn.Linear(4, 4).weight
        if share:
            self.a.weight = self.b.weight


model = Model()
tied = model.a.bias is model.c.bias
model = model.to("cuda")
model.b.weight = model.a.weight
model.c.weight = model.a.weight
if tied:
    model.a.bias = model.c.bias
other = Other(model)
tied = other.b.weight is other.a.weight
other = other.to("cuda")
if tied:
    other.b.weight = other.a.weight

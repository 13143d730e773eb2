import torch
from torch import nn


def count(model):
    return sum(p.numel() for p in model.parameters())


def names(model):
    return [n for n, p in model.named_parameters()]


model = nn.Linear(2, 2)
n = count(model)
first = names(model)
biggest = max(model.parameters(), key=lambda p: p.numel())
model.cuda()

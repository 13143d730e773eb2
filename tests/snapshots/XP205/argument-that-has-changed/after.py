import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, tied):
        super().__init__()
        self.src = nn.Embedding(10, 4)
        self.out = nn.Linear(4, 10, bias=False)
        if tied:
            self.out.weight = self.src.weight


def main(tied):
    model = Model(tied)
    tied = None
    was_tied = model.out.weight is model.src.weight
    model.to("cuda")
    if was_tied:
        model.out.weight = model.src.weight


def make(options):
    return Model(options.tied)


model = make(None)
was_tied = model.out.weight is model.src.weight
model.to("cuda")
if was_tied:
    model.out.weight = model.src.weight

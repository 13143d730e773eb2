import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, options):
        super().__init__()
        self.src = nn.Embedding(10, 4)
        self.out = nn.Linear(4, 10, bias=False)
        tied = options.pop("tied", True)
        if tied:
            self.out.weight = self.src.weight


def main(options):
    model = Model(options)
    was_tied = model.out.weight is model.src.weight
    model.to("cuda")
    if was_tied:
        model.out.weight = model.src.weight


def other(options):
    model = Model(options)
    was_tied = model.out.weight is model.src.weight
    model.to("cuda")
    if was_tied:
        model.out.weight = model.src.weight
    return model

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
    model.to("cuda")


def other(options):
    return Model(options).to("cuda")

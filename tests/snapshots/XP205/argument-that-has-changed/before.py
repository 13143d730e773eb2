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
    model.to("cuda")


def make(options):
    return Model(options.tied)


model = make(None)
model.to("cuda")

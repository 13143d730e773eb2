import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(10, 4)
        self.out = nn.Linear(4, 10)
        self.out.weight = self.emb.weight


def make():
    model = Model().to("cuda")
    model.out.weight = model.emb.weight
    return model


model = make().to("cuda")
model.to("cuda")

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(10, 4)
        self.out = nn.Linear(4, 10)
        self.out.weight = self.emb.weight

    def _apply(self, fn):
        super()._apply(fn)
        self.out.weight = self.emb.weight
        return self


model = Model().to("cuda")

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.inner = nn.ModuleList([nn.Linear(4, 4) for _ in range(n)])
        self.outer = nn.ModuleList([nn.Linear(4, 4) for _ in range(n)])
        self.emb = nn.Embedding(4, 4)
        for i in range(n):
            self.outer[i].weight = self.inner[i].weight
        for layer in self.inner:
            layer.weight = self.emb.weight


model = Model(3)
model.to("cuda")

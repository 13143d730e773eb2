import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)
        self.b = nn.Linear(4, 4)
        self.c = nn.Linear(4, 4)
        self.d = nn.Linear(4, 4)
        self.e = nn.Linear(4, 4)
        setattr(self.b, "weight", self.a.weight)
        self.c._parameters["weight"] = self.a.weight
        self.c.bias = self.a.bias
        local = self.a
        self.d.weight = local.weight
        self.kernel = self.e.weight
        self.scale = nn.Parameter(torch.ones(4))
        self.twin = self.scale
        emb = nn.Embedding(4, 4)
        self.emb = emb
        self.e.weight = emb.weight


model = Model()
model.to("cuda")

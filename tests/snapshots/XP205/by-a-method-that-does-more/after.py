import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, share):
        super().__init__()
        self.share = share
        self.emb = nn.Embedding(10, 4)
        self.out = nn.Linear(4, 10, bias=False)
        self.init_weights()

    def init_weights(self):
        nn.init.normal_(self.emb.weight)
        if self.share:
            self.out.weight = self.emb.weight


model = Model(True)
tied = model.out.weight is model.emb.weight
model.to("cuda")
if tied:
    model.out.weight = model.emb.weight

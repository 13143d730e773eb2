import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, tied):
        super().__init__()
        self.emb = nn.Embedding(10, 4)
        self.out = nn.Linear(4, 10)
        self.tied = tied
        self.tie_weights()

    def tie_weights(self):
        if self.tied:
            self.out.weight = self.emb.weight


model = Model(True).to("cuda")
model.tie_weights()
other = Model(False)
other.to("cuda")
other.emb.weight = other.out.weight
third = Model(None)
third.to("cuda")
if third.tied:
    third.out.weight = third.emb.weight

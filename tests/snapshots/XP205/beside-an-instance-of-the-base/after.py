import torch
from torch import nn


class Tied(nn.Module):
    def __init__(self, tied=True):
        super().__init__()
        self.emb = nn.Embedding(8, 4)
        self.out = nn.Linear(4, 8)


class ByMethod(Tied):
    def __init__(self, share):
        super().__init__(False)
        self.share = share
        self.tie_weights()

    def tie_weights(self):
        if self.share:
            self.out.weight = self.emb.weight


model = Tied(tied=False).to("cuda")
other = ByMethod(True)
tied = other.out.weight is other.emb.weight
other.to("cuda")
if tied:
    other.out.weight = other.emb.weight

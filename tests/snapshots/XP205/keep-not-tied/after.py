import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, tied=False):
        super().__init__()
        self.emb = nn.Embedding(10, 4)
        self.out = nn.Linear(4, 10)
        if tied:
            self.out.weight = self.emb.weight


model = Model().to("cuda")
other = Model(tied=False)
other.cuda()

import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(64, 8)

    def forward(self, ids):
        mask = ids != 1
        left = mask.flip(1).long().cumsum(dim=1)
        return self.table((ids != 1).long().cumsum(1) * mask + 1), torch.cumsum(ids.ne(1).long(), dim=1), left


Positions().cuda()

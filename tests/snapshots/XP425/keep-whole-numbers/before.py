import torch
from torch import nn


class Positions(nn.Module):
    def forward(self, ids, unknown):
        mask = ids.ne(1).int()
        counted = mask.cumsum(1) + (ids != 1).long().cumsum(1)
        return counted, (ids != 1).cumsum(1, dtype=torch.int64), unknown.cumsum(1), (ids > 2).sum(1)


Positions().cuda()
host = (torch.arange(4) > 1).cumsum(0)

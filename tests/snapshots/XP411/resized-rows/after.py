import torch.nn.functional as F
from torch import nn


class Positions(nn.Module):
    def forward(self, table, n):
        return F.interpolate(table, size=n, mode="linear")


model = Positions().cuda()

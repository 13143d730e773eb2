import torch
from torch import nn


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        return self.layer(x)


class Holding(Plain):
    def __init__(self):
        super().__init__()
        self.start = torch.zeros(4)

    def forward(self, x):
        return self.layer(x + self.start)

    def cuda(self):
        super().cuda()
        self.start = self.start.cuda()
        return self


class HoldingMore(Holding):
    pass

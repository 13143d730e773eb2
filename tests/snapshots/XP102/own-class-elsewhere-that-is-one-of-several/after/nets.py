import torch
import torch_xla
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
        super().to(torch_xla.device())
        self.start = self.start.to(torch_xla.device())
        return self


class HoldingMore(Holding):
    pass

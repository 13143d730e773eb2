from torch import nn

from .blocks import Block, LoweredWeightNorm
from .head import Head
from .tail import Tail


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = LoweredWeightNorm.apply(nn.Linear(4, 4))
        self.last = LoweredWeightNorm.apply(nn.Linear(2, 1))
        self.parts = nn.Sequential(Block(), Head(), Tail())

    def forward(self, x):
        return self.last(self.parts(self.first(x)))

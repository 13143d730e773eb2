import torch
from torch import nn

from . import blocks
from .blocks import LoweredWeightNorm


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = blocks.Block()
        self.layer = LoweredWeightNorm.apply(nn.Linear(4, 2))

    def forward(self, x):
        return torch.relu(self.layer(self.block(x)))

from torch import nn
import torch
from nets.body import LoweredWeightNorm


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = LoweredWeightNorm.apply(nn.Linear(4, 1))

    def forward(self, x):
        return torch.sigmoid(self.layer(x))

import torch
from torch import nn
from nets.head import LoweredWeightNorm


class Body(nn.Module):
    """What comes before the head."""

    def __init__(self):
        super().__init__()
        self.first = LoweredWeightNorm.apply(nn.Linear(4, 4))
        self.second = LoweredWeightNorm.apply(nn.Linear(4, 4))

    def forward(self, x):
        return torch.relu(self.second(torch.relu(self.first(x))))

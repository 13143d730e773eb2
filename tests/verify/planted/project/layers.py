"""The layers of a project, in a file of their own."""

import torch
from torch import nn


class Schedule(nn.Module):
    """Sharpens its input a bit more with each call."""

    def __init__(self, width):
        super().__init__()
        self.linear, self.calls = nn.Linear(width, width), 0

    def forward(self, x):
        self.calls += 1
        return self.linear(x).abs() ** (1 + self.calls / 10)  # <- sharpen


class Gate(nn.Module):
    @property
    def scale(self):
        return torch.lgamma(self.weight.abs() + 1.5)  # <- gate

    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * self.scale

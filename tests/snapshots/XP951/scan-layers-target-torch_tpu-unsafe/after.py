import torch
import functools
from torch import nn


class Decoder(nn.Module):
    def __init__(self, width, depth, is_pure):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])
        self.is_pure = is_pure

    def forward(self, x):
        return nn.Sequential(*self.layers)(x)


class Rotated(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.project = nn.Linear(width, width)

    def forward(self, x, angles):
        return self.project(x) * angles, angles


def run(layers, x, angles):
    x, _ = functools.reduce(lambda given, layer: layer(*given), layers, (x, angles))
    return nn.Sequential(*[layer for layer in layers])(x.float())

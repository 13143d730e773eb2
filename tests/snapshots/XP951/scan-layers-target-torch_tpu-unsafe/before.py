import torch
from torch import nn
from torch_xla.experimental.scan_layers import scan_layers


class Decoder(nn.Module):
    def __init__(self, width, depth, is_pure):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])
        self.is_pure = is_pure

    def forward(self, x):
        return scan_layers(self.layers, x, is_layer_pure=self.is_pure)


class Rotated(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.project = nn.Linear(width, width)

    def forward(self, x, angles):
        return self.project(x) * angles, angles


def run(layers, x, angles):
    x, _ = scan_layers(layers, (x, angles))
    return scan_layers([layer for layer in layers], input_data=x.float())

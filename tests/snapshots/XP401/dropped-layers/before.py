import random

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, layers, rate):
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.rate = rate

    def forward(self, x):
        for layer in self.layers:
            if self.training and random.random() < self.rate:
                continue
            x = layer(x)
        return x


class Decoder(Encoder):
    def forward(self, x, memory):
        for layer in self.layers:
            chance = torch.rand(1).item()
            if not self.training or chance > self.rate:
                x = layer(x) + memory
        return x


model = Encoder([], 0.1).cuda()

# planted: recompile@cause seen@barrier
# Layers left out by chance: each set of layers is a graph of its own.
import random

import torch
import torch_xla
from torch import nn


class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Sequential(nn.Linear(8, n), nn.Linear(n, 8)) for n in range(4, 12))

    def forward(self, x):
        for layer in self.layers:
            if random.random() < 0.5:
                x = x + layer(x).tanh()  # <- cause
        return x


random.seed(1)
device = torch_xla.device()
model = Deep().to(device)
with torch.no_grad():
    for step in range(20):
        y = model(torch.randn(4, 8).to(device))
        torch_xla.sync()  # <- barrier

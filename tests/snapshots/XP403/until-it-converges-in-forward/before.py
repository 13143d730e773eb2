import torch
from torch import nn


class Equilibrium(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        z = torch.zeros_like(x)
        change = x.abs().max()
        while change > 1e-4:
            after = torch.tanh(self.layer(z) + x)
            change = (after - z).abs().max()
            z = after
        return z


model = Equilibrium().cuda()

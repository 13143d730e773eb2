import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("rates", torch.ones(4))

    def forward(self, size, device):
        return torch.arange(size, device=device)[:, None] * self.rates


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.positions = Positions()

    def positions_of(self, n, device):
        return self.positions(n, device=device)

    def forward(self, x):
        return x + self.positions_of(x.shape[1], x.device)


Net().cuda()

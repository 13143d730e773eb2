import torch
from torch import nn

x = torch.randn(1000, 8, device="cuda")


def rows(x: torch.Tensor):
    return [x[i] for i in range(1000)]


def table():
    total = torch.zeros(8, device="cuda")
    for i in range(1000):
        total = total + x[i] * torch.arange(i + 8, device="cuda")[:8]
    return total


class Net(nn.Module):
    def forward(self, x):
        for t in range(20):
            x = x + x[:, t]
        return x

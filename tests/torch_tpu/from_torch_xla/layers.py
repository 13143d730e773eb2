"""A tower of equal blocks, once with one stream and once with two, trained through scan_layers()."""

import sys
from pathlib import Path

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn
from torch_xla.experimental.scan_layers import scan_layers


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.inner, self.outer = nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.outer(torch.tanh(self.inner(self.norm(x))))


class Coupled(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.left, self.right = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, left, right):
        return left + torch.tanh(self.left(right)), right + torch.tanh(self.right(left))


class Tower(nn.Module):
    def __init__(self, width=8, depth=3):
        super().__init__()
        self.blocks = nn.ModuleList([Block(width) for _ in range(depth)])
        self.coupled = nn.ModuleList([Coupled(width) for _ in range(depth)])
        self.head = nn.Linear(2 * width, 1)

    def forward(self, x):
        x = scan_layers(self.blocks, x, is_layer_pure=True)
        left, right = scan_layers(self.coupled, (x, -x))
        return self.head(torch.cat([left, right], dim=-1))


def main():
    torch.manual_seed(1)
    device = torch_xla.device()
    model = Tower().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for _ in range(8):
        x = torch.randn(16, 8)
        y = x.sum(dim=1, keepdim=True)
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = (model(x) - y).square().mean()
        loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        losses.append(loss.detach())
    torch_xla.sync()
    Path(sys.argv[1]).write_text("\n".join(f"{loss.item():.4f}" for loss in losses), encoding="utf-8")


if __name__ == "__main__":
    main()

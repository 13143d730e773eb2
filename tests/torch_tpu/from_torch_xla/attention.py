"""A block with torch_xla's attention, whose kernel needs a TPU; another way to compute it is to give the same."""

import math
import sys
from pathlib import Path

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn
from torch_xla.experimental.custom_kernel import flash_attention


class Attention(nn.Module):
    def __init__(self, width=8, heads=2):
        super().__init__()
        self.heads, self.kernel = heads, True
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        if self.kernel:
            q = q / math.sqrt(width // self.heads)
            mixed = flash_attention(q, k, v, causal=True)
        else:
            scores = q @ k.transpose(-1, -2) / math.sqrt(width // self.heads)
            later = torch.ones(length, length, device=x.device).triu(1).bool()
            mixed = scores.masked_fill(later, float("-inf")).softmax(dim=-1) @ v
        return self.out(mixed.transpose(1, 2).reshape(batch, length, width))


def train(kernel):
    torch.manual_seed(3)
    device = torch_xla.device()
    model = Attention().to(device)
    model.kernel = kernel
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    losses = []
    for _ in range(6):
        x = torch.randn(4, 6, 8)
        y = x.cumsum(dim=1) / 6
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = (model(x) - y).square().mean()
        loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        losses.append(loss.detach())
    return [f"{loss.item():.4f}" for loss in losses]


def main():
    kernel = "--by-hand" not in sys.argv
    Path(sys.argv[1]).write_text("\n".join(train(kernel)), encoding="utf-8")


if __name__ == "__main__":
    main()

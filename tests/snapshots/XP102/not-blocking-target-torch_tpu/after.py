import torch
from torch import nn

model = nn.Linear(4, 4).to(torch.accelerator.current_accelerator())


def step(x, y, wait):
    x = x.to(torch.accelerator.current_accelerator(), non_blocking=True)
    y = y.to(torch.accelerator.current_accelerator(), non_blocking=not wait)
    return (model(x) - y).square().mean()

import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)


@torch.no_grad()
def run(x: torch.Tensor, loader, steps):
    x = x.to(device)
    for _ in range(steps):
        longer = torch.cat([x, model(x)[:, -1:].clone()], 1)
        x = longer
    return x

import torch
from torch import nn

from cache import Cache

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)


@torch.no_grad()
def generate(x: torch.Tensor, steps):
    cache = Cache()
    for _ in range(steps):
        key = model(x.to(device))
        x = cache.update(key).mean(1, keepdim=True)
    return x

import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)


@torch.no_grad()
def generate(token, steps, rate):
    """Every 16th pass is none of those in which the counter is a multiple of 16, where it counts by more than one."""
    for t in range(0, steps, rate):
        token = model(token)
        if (token > 0.5).all():
            break
    for t in range(0, steps, 1):
        token = model(token)
        if (token > 0.5).all():
            break
    for t in range(0, steps, rate + 1):
        token = model(token)
        if (token > 0.5).all():
            break
    return token


generate(torch.zeros(1, 4, device=device), 99, 2)

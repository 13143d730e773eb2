# Lengths are padded up to one of three sizes.
import random

import torch
import torch_xla
from torch import nn

random.seed(0)
device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(24):
    length = random.randint(1, 24)
    padded = next(size for size in (8, 16, 24) if length <= size)
    train_step(nn.functional.pad(torch.randn(4, length, 8), (0, 0, 0, padded - length)).to(device))
    torch_xla.sync()

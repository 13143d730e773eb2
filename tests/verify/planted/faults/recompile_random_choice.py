# planted: recompile@cause seen@barrier
# Multi-scale training: the size is drawn anew for each batch.
import random

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
random.seed(0)
model = nn.Conv2d(1, 2, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(12):
    size = random.choice(range(8, 40))
    x = nn.functional.interpolate(torch.randn(2, 1, 8, 8).to(device), size=(size, size))  # <- cause
    train_step(x)
    torch_xla.sync()  # <- barrier

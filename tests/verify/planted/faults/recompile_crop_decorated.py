# planted: recompile@cause seen@barrier
# A random crop on the device, behind a decorator.
import functools
import random

import torch
import torch_xla
from torch import nn

random.seed(0)


def augmented(function):
    @functools.wraps(function)
    def wrapper(x):
        start = random.randrange(200)
        return function(x[:, start : start + 8])  # <- cause

    return wrapper


device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


@augmented
def train_step(x):
    optimizer.zero_grad()
    model(x).pow(2).mean().backward()
    optimizer.step()


for step in range(12):
    train_step(torch.randn(4, 256).to(device))
    torch_xla.sync()  # <- barrier

# planted: host-read, extra-execution
# A decorator that watches what the function returns.
import functools

import torch
import torch_xla
from torch import nn


def watched(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        loss = function(*args, **kwargs)
        torch_xla.sync()
        if torch.isnan(loss):  # <- here
            raise FloatingPointError("nan")
        return loss

    return wrapper


device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


@watched
def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(9):
    train_step(torch.randn(4, 8).to(device))

"""One decorator, of the step and of what runs once: what that reads, no step does."""
import functools

import torch
from torch import nn

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def counted(function):
    @functools.wraps(function)
    def call(*args):
        call.count += 1
        return function(*args)

    call.count = 0
    return call


def shown(function):
    return lambda *args: print(function(*args).item())


@counted
def step(x):
    loss = model(x.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


@counted
def report(x):
    with torch.no_grad():
        print(model(x.to(device)).mean().item())


@shown
def norm():
    return torch.stack([p.norm() for p in model.parameters()]).norm()


for _ in range(100):
    step(torch.randn(8, 4))
report(torch.randn(8, 4))
norm()

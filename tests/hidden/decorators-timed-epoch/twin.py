"""The epoch ends with a read."""
import functools
import time

import torch
from torch import nn


def timed(function):
    @functools.wraps(function)
    def wrapper(*args):
        began = time.perf_counter()
        try:
            return function(*args)
        finally:
            wrapper.seconds = time.perf_counter() - began  # never: XP210

    wrapper.seconds = 0.0
    return wrapper


@timed
def epoch(net, optimizer, count):
    for _ in range(count):
        loss = net(torch.randn(32, 16).cuda()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item())


net = nn.Linear(16, 16).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for n in range(3):
    epoch(net, optimizer, 20)
    print(n, epoch.seconds)

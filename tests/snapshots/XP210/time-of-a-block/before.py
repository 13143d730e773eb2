import time
from contextlib import contextmanager
from time import perf_counter

import torch
import torch_xla
from torch import nn


@contextmanager
def timed(name):
    start = perf_counter()
    yield
    end = perf_counter()
    print(name, end - start)


class Watch:
    total = 0.0

    def __init__(self):
        self.start = None

    def __enter__(self):
        self.start = time.monotonic()

    def __exit__(self, *error):
        self.total += time.monotonic() - self.start


model = nn.Linear(8, 8).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
watch = Watch()


def train(steps):
    for _ in range(steps):
        with watch:
            loss = model(torch.randn(4, 8).to("xla")).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        torch_xla.sync()


with timed("epoch"):
    train(100)
print(watch.total)

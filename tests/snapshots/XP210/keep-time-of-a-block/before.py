import time
from contextlib import contextmanager

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn


@contextmanager
def timed(name):
    start = time.perf_counter()
    yield
    print(name, time.perf_counter() - start)


@contextmanager
def waited(name):
    start = time.perf_counter()
    yield
    xm.wait_device_ops()
    print(name, time.perf_counter() - start)


class Limit:
    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.left = self.end - time.monotonic()
        self.of_loading = time.monotonic() - self.given

    def loaded(self, given):
        self.given = given


class Watch:
    def __enter__(self):
        self.start = time.monotonic()

    def __exit__(self, *error):
        self.seconds = time.monotonic() - self.start


model = nn.Linear(8, 8).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train(steps):
    for _ in range(steps):
        with timed("batch"):
            x = torch.randn(4, 8)
        loss = model(x.to("xla")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
    return loss


with waited("epoch"):
    train(100)
with Limit(10):
    train(100)
with Watch():
    print(train(100).item())

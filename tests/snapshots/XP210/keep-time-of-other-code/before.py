"""Stopwatches: of the data alone, of all so far, a limit, and those that wait for the TPU themselves."""
import time

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn


class Watch:
    def __init__(self):
        self.began = time.time()

    def start(self):
        self.began = time.time()

    def stop(self):
        return time.time() - self.began

    @property
    def so_far(self):
        return time.time() - self.began


class Waiting:
    def start(self):
        self.began = time.time()

    def stop(self):
        torch_xla.sync()
        xm.wait_device_ops()
        return time.time() - self.began


model = nn.Linear(8, 8).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
of_all, of_data, waiting = Watch(), Watch(), Waiting()


def train(steps):
    for _ in range(steps):
        of_data.start()
        x = torch.randn(4, 8)
        seconds = of_data.stop()
        loss = model(x.to("xla")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        print(seconds, of_all.so_far)
        if of_all.so_far > 60:
            break


of_all.start()
waiting.start()
train(100)
print(waiting.stop())


def timed(function):
    def run(*args):
        began = time.time()
        loss = function(*args)
        print(loss.item(), time.time() - began)

    return run


@timed
def step(x):
    loss = model(x.to("xla")).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


step(torch.randn(4, 8))

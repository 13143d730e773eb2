"""An object looks at the clock where it is started and stopped; a function is given the time of the start."""
import time

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn


class Watch:
    def __init__(self):
        self.began = 0.0

    def start(self):
        self.began = time.time()

    def stop(self):
        return time.time() - self.began


def show(name, began):
    print(name, time.time() - began)


model = nn.Linear(8, 8).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train(steps):
    for _ in range(steps):
        loss = model(torch.randn(4, 8).to("xla")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()


watch = Watch()
for epoch in range(3):
    watch.start()
    train(100)
    xm.wait_device_ops()
    print(epoch, watch.stop())

began = time.time()
train(100)
xm.wait_device_ops()
show("again", began)

for _ in range(100):
    watch.start()
    loss = model(torch.randn(4, 8).to("xla")).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    seconds = watch.stop()
print(seconds)

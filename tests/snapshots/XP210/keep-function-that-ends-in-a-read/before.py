import time

import torch
import torch_xla
from torch import nn


class Meter:
    def __init__(self):
        self.total = 0
        self.count = 0

    def update(self, value):
        self.total = self.total + value
        self.count += 1

    @property
    def mean(self):
        return self.total / self.count


device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train(loader):
    losses = Meter()
    for x in loader:
        loss = model(x.to(device)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.update(loss.detach())
        torch_xla.sync()
    return float(losses.mean)


start = time.time()
train([torch.zeros(8, 4)])
print(time.time() - start)

from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def watched(log, losses):
    yield losses
    log.append(losses[-1].shape)


@contextmanager
def summed_up(log, losses):
    yield losses
    log.append(losses[-1].item())


def smoothed(start, factor):
    mean = float(start.sum())
    while True:
        size = yield mean
        mean = factor * mean + (1 - factor) * float(size)


def is_good(losses):
    return len(losses) > 4


model = nn.Linear(4, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
averages, log, losses = smoothed(torch.ones(3).cuda(), 0.9), [], []
next(averages)
tell = {"loss": lambda loss: log.append(loss.detach()), "sum": lambda loss: log.append(loss.cpu())}
with summed_up(log, losses):
    for step in range(20):
        with watched(log, losses) as found:
            loss = model(torch.randn(8, 4).cuda()).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            found.append(loss.detach())
        tell["loss"](loss)
        if step % 10 == 0:
            tell["sum"](loss)
        log.append(averages.send(len(losses)))
while not is_good(losses):
    loss = model(torch.randn(8, 4).cuda()).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.detach())

from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def watched(log, state):
    yield state
    log.append(state.last.tolist())


class Timed:
    def __init__(self, loss_of):
        self.loss_of = loss_of

    def __enter__(self):
        return self

    def __exit__(self, *error):
        print(self.loss_of.last.item())


def smoothed(factor):
    mean = float(torch.ones(1).cuda())
    while True:
        loss = yield mean
        mean = factor * mean + (1 - factor) * float(loss)


class Numbers:
    def __init__(self, tensors):
        self.tensors = iter(tensors)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.tensors).item()


def is_good(state):
    return state.last.item() < 0.1


class State:
    last = torch.zeros(1, device="cuda")


model = nn.Linear(4, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
averages, log, state = smoothed(0.9), [], State()
next(averages)
tell = {"loss": lambda loss: log.append(loss.cpu()), "size": lambda loss: log.append(loss.shape)}
for _ in range(20):
    with watched(log, state) as found:
        with Timed(state):
            loss = model(torch.randn(8, 4).cuda()).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            found.last = loss.detach()
    tell["loss"](loss)
    log.append(averages.send(loss))
    for number in Numbers([loss, loss * 2]):
        log.append(number)
while not is_good(state):
    loss = model(torch.randn(8, 4).cuda()).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    state.last = loss.detach()


class Run:
    def __init__(self, model, optimizer):
        self.model, self.optimizer, self.seen = model, optimizer, {}

    @property
    def last(self):
        return self.seen["loss"].item()

    @property
    def worst(self):
        return self.seen["loss"].max().item()

    def fit(self, steps):
        for step in range(steps):
            loss = self.model(torch.randn(4, 4).cuda()).square().mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.seen["loss"] = loss.detach()
            log.append(self.last)
            if step % 10 == 0:
                log.append(self.worst)


Run(model, optimizer).fit(20)

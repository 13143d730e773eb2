"""Most passes leave before the read: it waits for the device in every n-th one only."""

import torch
from data import batches, options, plot
from torch import nn


class Log:
    def __init__(self, every):
        self.every = every
        self.seen = []

    def add(self, step, loss):
        if step % self.every:
            return
        self.seen.append(loss.item())
        plot(self.seen)


def show(step, loss):
    if loss is None or not step % options.every == 0:
        return
    plot(loss.item())


log = Log(options.every)
model = nn.Linear(8, 1).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
best = 1e9
for step, x in enumerate(batches):
    loss = model(x.to("xla")).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    log.add(step, loss)
    show(step, loss)
    if step % 100 != 0:
        continue
    best = min(best, loss.item())

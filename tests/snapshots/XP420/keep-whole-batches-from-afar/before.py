import itertools
from collections import namedtuple

import torch
from torch import nn
from torch.utils.data import DataLoader

Feeds = namedtuple("Feeds", ["training", "validation"])
kept = {"batch_size": 4, "drop_last": False}
dropped = dict(kept)
dropped.update(drop_last=True)


def logged(batches):
    for batch in batches:
        yield batch


def forever(batches):
    while True:
        yield from batches


def train(feed, step):
    for x in logged(feed):
        step(x)
        optimizer.step()


def evaluate(feed):
    with torch.no_grad():
        return sum(model(x.to("xla")).sum() for x in logged(feed))


def step(x):
    optimizer.zero_grad()
    model(x.to("xla")).sum().backward()


data = torch.zeros(10, 4)
feeds = Feeds(DataLoader(data, **dropped), DataLoader(data, **kept))
model = nn.Linear(4, 2).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
train(feeds.training, step)
train(feeds[0], step)
print(evaluate(feeds.validation).item())

stream = iter(forever(DataLoader(data, 4, drop_last=True)))
rest = DataLoader(data, 4)
first = next(iter(rest))
for _ in range(10):
    step(next(stream))
    step(next(iter(rest)))
    optimizer.step()
for row in first:
    step(row)
    optimizer.step()
for x in itertools.chain(DataLoader(data, **dropped), DataLoader(data, 4, drop_last=True)):
    step(x)
    optimizer.step()

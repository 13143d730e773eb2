from functools import partial

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

device = torch.device("xla")


class Collator:
    def __init__(self, pad):
        self.pad = pad

    def __call__(self, items):
        return self.pad(items)


class Task:
    collators = {}

    def make(self, items):
        return torch.stack([item[:2] for item in items])

    def feed(self, items):
        options = {"batch_size": 4, "drop_last": True}
        options.update(collate_fn=self.make)
        return DataLoader(items, **options)


class Ragged(Task):
    def make(self, items):
        return pad_sequence(items, batch_first=True)


class Fixed(Task):
    def make(self, items):
        return pad_sequence([item[:2] for item in items], batch_first=True)


def by_table(items, kind):
    table = {"first": first, "second": second}
    return DataLoader(items, batch_size=4, collate_fn=partial(table[kind], 0), drop_last=True)


def first(value, items):
    return pad_sequence(items, padding_value=value)


def second(value, items):
    return pad_sequence(items, padding_value=value)


def handed(items):
    return pad_sequence(items)


items = [torch.ones(2 + n % 3, 3) for n in range(30)]
model = nn.Linear(3, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
feeds = [Ragged().feed(items), by_table(items, "first"), DataLoader(items, collate_fn=Collator(handed))]
for feed in feeds:
    for x in feed:
        optimizer.zero_grad()
        model(x.to(device)).sum().backward()
        optimizer.step()

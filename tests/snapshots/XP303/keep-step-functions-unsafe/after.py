import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

import functools


@functools.lru_cache
def cached(batch):
    loss = model(batch.to(device)).mean()
    loss.backward()
    optimizer.step()
    return loss.item()


def handed_on(batch):
    loss = model(batch.to(device)).mean()
    loss.backward()
    optimizer.step()
    return loss.item()


def decides(batch):
    loss = model(batch.to(device)).mean()
    loss.backward()
    optimizer.step()
    return loss.item()


def nothing_at_times(batch):
    loss = model(batch.to(device)).mean()
    loss.backward()
    optimizer.step()
    if len(batch) > 1:
        return loss.item()


def whole(batch):
    loss = model(batch.to(device)).mean()
    loss.backward()
    optimizer.step()
    return loss.item(), len(batch)


class Base:
    def step(self, batch):
        loss = model(batch.to(device)).mean()
        loss.backward()
        optimizer.step()
        return loss.item()


class Derived(Base):
    def step(self, batch):
        return super().step(batch) * 2


total, learner = 0.0, Base()
rows = []
for x in loader:
    total += cached(x)
    total += handed_on(x)
    if decides(x) > 10:
        break
    total += nothing_at_times(x) or 0
    rows.append(whole(x))
    total += learner.step(x)
print(total, list(map(handed_on, loader)), rows)

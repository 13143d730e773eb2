"""A TypedDict from a factory holds the loaders; islice(cycle()) of one of them trains."""
from itertools import cycle, islice
from typing import TypedDict

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Feeds(TypedDict):
    train: DataLoader
    check: DataLoader


def feeds(rows, **options) -> Feeds:
    data = TensorDataset(torch.randn(rows, 6), torch.randint(2, (rows,)))
    return Feeds(train=DataLoader(data, shuffle=True, **options), check=DataLoader(data, **options))  # wants: XP420


sources = feeds(110, batch_size=16, num_workers=0)
model = nn.Linear(6, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in islice(cycle(sources["train"]), 40):
    loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

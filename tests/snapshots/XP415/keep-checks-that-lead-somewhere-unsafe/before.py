"""What is caught, counted or ends another way is asked where it is asked; so is what may run in a loader's process."""

import sys

import numpy as np
import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader, Dataset

device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
bad = 0


class Sounds(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return within(load(index))


def within(sound):
    if torch.min(sound) < -1:
        print("low", torch.min(sound))
    return sound


def rows(scores):
    for row in scores > 3:
        if row.any():
            print("large")


def ends(x):
    if (x > 9).any():
        raise StopIteration
    if (x > 8).any():
        sys.exit(1)
    if (x > 7).any():
        raise
    return x


def tried(x):
    try:
        return limited(x)
    except ValueError:
        return x.clamp(max=3)


def limited(x):
    if (x > 3).any():
        raise ValueError("large")
    return x


class Limited(nn.Module):
    def forward(self, x):
        if (x > 2).any():
            raise ValueError("large")
        return x


limit = Limited()
for x in DataLoader(Sounds()):
    x = x.to(device)
    scores = model(tried(ends(x)))
    try:
        scores = limit(scores)
    except ValueError:
        continue
    loss = scores.mean()
    rows(scores.detach())
    within(x)
    if np.isnan(loss.detach()):
        raise RuntimeError("NaN")
    if loss > 4:
        bad += 1
        print("large")
    if loss > 5:
        print("large")
    elif loss < -5:
        print("small")
    if loss > 6:
        print("""
            large""")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if loss > 7:  # the next step's graph would answer
        print("large")

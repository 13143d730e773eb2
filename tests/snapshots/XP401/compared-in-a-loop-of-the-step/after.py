import random

import torch
from torch import nn

model = nn.Linear(8, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def windows(x, width):
    """Several passes compare: a Python number that is equal to another would be one input of the graph with it."""
    kept = torch.zeros_like(x)
    for row in range(x.size(0)):
        first = max((row // width - 2) * width, 0)
        last = min((row // width + 1) * width, x.size(1))
        kept[row, first:last] = 1.0
    return kept


def window(x, width):
    """One comparison for a step: a Python number is an input of the graph."""
    kept = torch.zeros_like(x)
    first, last = width // 2, width * 3
    kept[:, first:last] = 1.0
    return kept


def train(batches):
    for x in batches:
        x = x.cuda()
        width = random.randint(1, 9)
        optimizer.zero_grad()
        loss = (model(x) * windows(x, width) * window(x, width)).sum()
        loss.backward()
        optimizer.step()

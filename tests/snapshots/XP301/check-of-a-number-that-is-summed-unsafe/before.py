"""A check for NaN is all that needs the number in each step: it looks in every 100th, and XP303 does the rest."""

import math
import sys

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train(batches):
    running = 0.0
    for i, x in enumerate(batches):
        loss = model(x.to(device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        loss_value = loss.item()
        if not math.isfinite(loss_value):
            print(f"Loss is {loss_value}, stopping training")
            sys.exit(1)
        running += loss_value
    return running / len(batches)


def train_more(batches):
    losses = []
    for x in batches:
        loss = model(x.to(device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        value = loss.item()
        assert not math.isnan(value), "the loss is NaN"
        losses.append(value)
    return losses


print(train([torch.randn(4, 8)] * 50), train_more([torch.randn(4, 8)] * 50))

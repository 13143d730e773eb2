"""Checks of a number that a later step would not find, or that are not all that needs it."""

import math
import sys

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(4, 8)] * 50


def trained(x):
    loss = model(x.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    return loss


running = 0.0
for i, x in enumerate(batches):
    large = trained(x).item()
    if large > 100:  # may be small in the next step
        sys.exit(1)
    running += large

for i, x in enumerate(batches):
    skipped = trained(x).item()
    if math.isnan(skipped):  # how often counts
        running += 1
        continue
    running += skipped

for i, x in enumerate(batches):
    rate = trained(x).item()
    optimizer.param_groups[0]["lr"] = min(0.1, rate)  # each step needs it
    if math.isnan(rate):
        sys.exit(1)

for i, x in enumerate(batches):
    shown = trained(x).item()
    if math.isnan(shown):
        sys.exit(1)
    running += shown
    bar(i, min(shown, 10.0))  # so does this one

for i, x in enumerate(batches):
    caught = trained(x).item()
    try:
        if math.isnan(caught):
            raise ValueError
    except ValueError:
        print("NaN")
    running += caught
print(running)

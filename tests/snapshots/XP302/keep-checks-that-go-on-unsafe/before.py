"""Checks that cannot wait: the program goes on, saves, or may be told to go on; or the value is used before."""

import math
import sys

import torch
import torch_xla
from torch import nn

model = nn.Linear(4, 1).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def step_with(loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def step_and_keep(loss):
    step_with(loss)
    torch.save(model.state_dict(), "last.pt")


for x in batches:  # skips the update
    loss = model(x).mean()
    value = loss.item()
    if not math.isfinite(value):
        print(value)
        continue
    step_with(loss)
    torch_xla.sync()

for x in batches:  # saves
    loss = model(x).mean()
    value = loss.item()
    if not math.isfinite(value):
        torch.save(model.state_dict(), "last.pt")
        sys.exit(1)
    step_with(loss)
    torch_xla.sync()

for x in batches:  # saves something by a function of its own
    loss = model(x).mean()
    value = loss.item()
    if not math.isfinite(value):
        save_all(model)
        sys.exit(1)
    step_with(loss)
    torch_xla.sync()

for x in batches:  # something catches it
    try:
        loss = model(x).mean()
        value = loss.item()
        if not math.isfinite(value):
            raise ValueError(value)
        step_with(loss)
        torch_xla.sync()
    except ValueError:
        restore(model)

for x in batches:  # the value is used
    loss = model(x).mean()
    value = loss.item()
    if not math.isfinite(value):
        sys.exit(1)
    (loss / value).backward()
    optimizer.step()
    torch_xla.sync()

for x in batches:  # only one of the branches ends
    loss = model(x).mean()
    value = loss.item()
    if not math.isfinite(value):
        sys.exit(1)
    else:
        print(value)
    step_with(loss)
    torch_xla.sync()

for x in batches:  # saves before the barrier
    loss = model(x).mean()
    value = loss.item()
    if not math.isfinite(value):
        sys.exit(1)
    step_with(loss)
    torch.save(model.state_dict(), "last.pt")
    torch_xla.sync()

for x in batches:  # a function saves before the barrier
    loss = model(x).mean()
    value = loss.item()
    if not math.isfinite(value):
        sys.exit(1)
    step_and_keep(loss)
    torch_xla.sync()


def epoch():
    for x in batches:
        loss = model(x).mean()
        value = loss.item()
        if not math.isfinite(value):
            raise FloatingPointError(value)
        step_with(loss)
        torch_xla.sync()


def leaving():
    for x in batches:
        loss = model(x).mean()
        value = loss.item()
        if not math.isfinite(value):
            return value
        step_with(loss)
        torch_xla.sync()


try:
    epoch()
except FloatingPointError:
    restore(model)
leaving()

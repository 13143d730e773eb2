"""Loggers whose file is closed before a closure may write, that run code of the program, or count what they write."""

import json

import torch
import torch_xla
from torch import nn


class Closed:
    def __init__(self, path):
        self.file = open(path, "a")

    def log(self, values):
        self.file.write(json.dumps(values) + "\n")

    def end(self):
        self.file.close()


class Encoded:
    def __init__(self, path):
        self.out = open(path, "a")

    def log(self, values):
        self.out.write(json.dumps(values, default=shorten) + "\n")


class Counted:
    def __init__(self, path):
        self.lines = open(path, "a")
        self.count = 0

    def log(self, values):
        self.count += 1
        self.lines.write(json.dumps(values) + "\n")


def total(batches, model, optimizer, begin):
    # What is added may be a tensor, which changes in place.
    so_far = begin
    for x in batches:
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        print(loss.item(), so_far)
        so_far += score(x)


model = nn.Linear(4, 1).to(torch_xla.device())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
closed, encoded, counted = Closed("a"), Encoded("b"), Counted("c")
for x in batches:
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    closed.log({"loss": loss.item()})
    encoded.log({"loss": loss.item()})
    counted.log({"loss": loss.item()})
closed.end()
total(batches, model, optimizer, 0)

import torch
from torch import nn


def place(model=None, optimizer=None, **others):
    model.cuda()


def build(**options):
    return torch.optim.SGD(options["model"].parameters(), lr=options["lr"])


run = {"model": nn.Linear(4, 2), "other": nn.Linear(4, 2), "epoch": 0}
optimizer = torch.optim.SGD(run["model"].parameters(), lr=0.1)
second = torch.optim.SGD(run["other"].parameters(), lr=0.1)
run["model"].cuda()
options = {"model": nn.Linear(4, 2), "lr": 0.1}
third = build(**options)
place(**options)

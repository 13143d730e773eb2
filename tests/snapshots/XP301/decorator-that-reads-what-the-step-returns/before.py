"""Decorators of functions and methods read what these return."""
import functools

import torch
from torch import nn

device = torch.device("xla")


def logged(name):
    def decorate(function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            loss = function(*args, **kwargs)
            print(name, loss.item())
            return loss

        return call

    return decorate


def checked(method):
    def call(self, x):
        loss = method(self, x)
        if torch.isnan(loss):
            raise ValueError("nan")
        return loss

    return call


class Trainer:
    def __init__(self):
        self.model = nn.Linear(4, 1).to(device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    @logged("loss")
    @checked
    def step(self, x):
        loss = self.model(x.to(device)).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss


trainer = Trainer()
for _ in range(100):
    trainer.step(torch.randn(8, 4))

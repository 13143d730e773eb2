"""What helpers read for a log: a copy where it may change until the log has read it; a count stays one."""

import torch
import torch_xla
from torch import nn

import logger
from elsewhere import helper

device = torch_xla.device()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)
        self.register_buffer("mean", torch.zeros(()))
        self.register_buffer("steps", torch.zeros((), dtype=torch.long))

    def forward(self, x):
        y = self.layer(x)
        self.mean.mul_(0.9).add_(y.detach().mean() * 0.1)
        self.steps += 1
        return y


class Trainer:
    def __init__(self):
        self.model = Net().to(device)
        self.last = torch.zeros((), device=device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def new(self, x):
        total = x.abs().mean()
        return total.item()

    def half(self, x):
        total = x.abs().mean()
        return total.item() / 2

    def kept_elsewhere(self, x):
        total = x.abs().mean()
        self.last = total
        return total.item()

    def buffer(self):
        return self.model.mean.item()

    def given(self, loss):
        return loss.item()

    def count(self):
        return self.model.steps.item()

    def hits(self, x):
        return (x > 0.5).sum().item()

    def of_a_library(self, x):
        return helper(x).item()

    def number_of_a_library(self, x):
        return float(helper(x))

    def step(self, x):
        self.optimizer.zero_grad()
        loss = self.model(x).square().mean()
        loss.backward()
        logger.add("new", self.new(x))
        logger.add("half", self.half(x))
        logger.add("kept", self.kept_elsewhere(x))
        logger.add("buffer", self.buffer())
        logger.add("given", self.given(loss))
        logger.add("count", self.count())
        logger.add("hits", self.hits(x))
        logger.add("library", self.of_a_library(x))
        logger.add("number", self.number_of_a_library(x))
        self.last += 1
        self.optimizer.step()


if __name__ == "__main__":
    trainer = Trainer()
    for number, x in enumerate(torch.rand(9, 8, 4)):
        trainer.step(x.to(device))
        if number % 4 == 0:
            logger.dump()

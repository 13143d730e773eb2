"""What helpers read for a log: a copy where it may change until the log has read it; a count stays one."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
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
        return total

    def half(self, x):
        total = x.abs().mean()
        return total / 2

    def kept_elsewhere(self, x):
        total = x.abs().mean()
        self.last = total
        return total.clone()

    def buffer(self):
        return self.model.mean.clone()

    def given(self, loss):
        return loss.detach().clone()

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

        def log(self_new, self_half, self_kept_elsewhere, self_buffer, self_given, self_count, self_hits, self_of_a_library, self_number_of_a_library):
            logger.add("new", float(self_new))
            logger.add("half", float(self_half))
            logger.add("kept", float(self_kept_elsewhere))
            logger.add("buffer", float(self_buffer))
            logger.add("given", float(self_given))
            logger.add("count", self_count)
            logger.add("hits", self_hits)
            logger.add("library", self_of_a_library)
            logger.add("number", self_number_of_a_library)

        xm.add_step_closure(
            log,
            args=(self.new(x), self.half(x), self.kept_elsewhere(x), self.buffer(), self.given(loss), self.count(), self.hits(x), self.of_a_library(x), self.number_of_a_library(x)),
            run_async=True,
        )
        self.last += 1
        self.optimizer.step()
        torch_xla.sync()


if __name__ == "__main__":
    trainer = Trainer()
    for number, x in enumerate(torch.rand(9, 8, 4)):
        trainer.step(x.to(device))
        if number % 4 == 0:
            xm.add_step_closure(lambda: logger.dump(), args=(), run_async=True)
    torch_xla.sync()

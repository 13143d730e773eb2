"""A text says which hooks run: those of the step read."""
from collections import defaultdict

import torch
from torch import nn

device = torch.device("xla")


class Losses:
    def before_epoch(self, trainer):
        self.total = torch.zeros((), device=device)

    def after_step(self, trainer):
        print(trainer.loss.item())

    def after_epoch(self, trainer):
        print("end")


class Trainer:
    def __init__(self, hooks):
        self.hooks = hooks
        self.actions = defaultdict(list)
        self.model = nn.Linear(4, 1).to(device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def call(self, name):
        for hook in self.hooks:
            getattr(hook, name)(self)

    def on(self, name, action):
        self.actions[name].append(action)

    def run(self, name, *given):
        for action in self.actions[name]:
            action(*given)

    def train(self, epochs, steps):
        for _ in range(epochs):
            self.call("before_epoch")
            for _ in range(steps):
                self.loss = self.model(torch.randn(8, 4, device=device)).square().mean()
                self.optimizer.zero_grad()
                self.loss.backward()
                self.optimizer.step()
                self.call("after_step")
                self.run("step", self.loss)
            self.call("after_epoch")
            self.run("epoch", self.loss)


def show(loss):
    print(loss.item())


trainer = Trainer([Losses()])
trainer.on("step", show)
trainer.train(3, 100)

import sys

import torch
from torch import nn


class Trainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.seen = {}

    def iterate(self, count):
        losses = []
        for _ in range(count):
            losses.append(self.step())
        self.finish()
        return sum(losses)

    def step(self):
        loss = self.model(torch.rand(4, 4).to("xla")).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.detach().cpu().item()

    def finish(self):
        pass


class Squares(Trainer):
    def step(self):
        loss = self.model(torch.rand(4, 4).to("xla")).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.seen["loss"] = loss.detach().cpu().item()
        return self.seen["loss"]

    def finish(self):
        print(self.model.weight.norm().item())


class Cubes(Trainer):
    def step(self):
        loss = self.model(torch.rand(4, 4).to("xla")).pow(3).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


class Unlike:
    def step(self):
        return torch.ones(4, device="xla").sum().item()


def experiment(kind):
    model = nn.Linear(4, 4).to("xla")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if kind == "squares":
        trainer = Squares(model, optimizer)
    elif kind == "cubes":
        trainer = Cubes(model, optimizer)
    trainer.iterate(100)


experiment(sys.argv[1])
print(Unlike().step())

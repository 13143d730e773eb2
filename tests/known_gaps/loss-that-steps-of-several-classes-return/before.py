import sys

import numpy as np
import torch
from torch import nn


class Trainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def iterate(self, count):
        losses = []
        for _ in range(count):
            loss = self.step()
            losses.append(loss)
        return np.mean(losses)

    def step(self):
        raise NotImplementedError

    def descend(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


class Squares(Trainer):
    def step(self):
        loss = self.model(torch.rand(4, 4).cuda()).pow(2).mean()
        self.descend(loss)
        return loss.detach().cpu().item()


class Cubes(Trainer):
    def step(self):
        loss = self.model(torch.rand(4, 4).cuda()).pow(3).mean()
        self.descend(loss)
        return loss.detach().cpu().item()


def experiment(kind):
    model = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    trainer = Squares(model, optimizer) if kind == "squares" else Cubes(model, optimizer)
    for _ in range(3):
        print(trainer.iterate(100))


experiment(sys.argv[1])

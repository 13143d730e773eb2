"""Norms that helpers read to return them: where a caller logs them, it gets the tensor, and each caller reads it."""

import numpy as np
import torch
import torch_xla
from torch import nn

import logger

device = torch_xla.device()
torch.manual_seed(0)


class Trainer:
    def __init__(self):
        self.model = nn.Linear(4, 1).to(device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def norms(self, scale=2.0):
        weights, grads = 0.0, 0.0
        for parameter in self.model.parameters():
            with torch.no_grad():
                weights += torch.norm(parameter, p=2, dtype=torch.float32).item() ** 2
                grads += torch.norm(parameter.grad, p=2, dtype=torch.float32).item() ** 2
        return np.sqrt(weights), np.sqrt(grads) / scale

    def largest(self):
        found = 0.0
        for parameter in self.model.parameters():
            found += parameter.grad.abs().max().item()
        return found

    def either(self, weights):
        found = 0.0
        for parameter in self.model.parameters():
            found += torch.norm(parameter.grad, p=2, dtype=torch.float32).item()
        if weights:
            return found
        return 2 * found

    def of_others(self):
        found = 0.0
        for parameter in self.model.parameters():
            found += torch.norm(parameter.grad, p=2, dtype=torch.float32).item()
        return found

    def careful_step(self, x):
        self.backward(x)
        weights, grads = self.norms()
        if grads > 100:
            return
        logger.mean("weights", weights)
        logger.mean("grads", grads)
        self.optimizer.step()

    def step(self, x):
        self.backward(x)
        weights, grads = self.norms()
        logger.mean("weights", weights)
        logger.mean("grads", grads)
        logger.mean("either", self.either(True))
        logger.mean("of_others", self.of_others())
        if self.largest() < 100:
            self.optimizer.step()

    def backward(self, x):
        self.optimizer.zero_grad()
        self.model(x).square().mean().backward()


if __name__ == "__main__":
    trainer = Trainer()
    for number, x in enumerate(torch.rand(9, 8, 4)):
        trainer.step(x.to(device))
        if number % 4 == 0:
            logger.dump()
    for number, x in enumerate(torch.rand(9, 8, 4)):
        trainer.careful_step(x.to(device))
        if number % 4 == 0:
            logger.dump()

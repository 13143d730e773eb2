"""Norms that helpers read to return them: where a caller logs them, it gets the tensor, and each caller reads it."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn

import logger

device = torch_xla.device()
torch.manual_seed(0)
torch_xla.manual_seed(0)


class Trainer:
    def __init__(self):
        self.model = nn.Linear(4, 1).to(device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def norms(self, scale=2.0):
        weights, grads = 0.0, 0.0
        for parameter in self.model.parameters():
            with torch.no_grad():
                weights += torch.norm(parameter, p=2, dtype=torch.float32) ** 2
                grads += torch.norm(parameter.grad, p=2, dtype=torch.float32) ** 2
        return weights ** 0.5, grads ** 0.5 / scale

    def largest(self):
        found = 0.0
        for parameter in self.model.parameters():
            found += parameter.grad.abs().max().item()
        return found

    def either(self, weights):
        found = 0.0
        for parameter in self.model.parameters():
            found += torch.norm(parameter.grad, p=2, dtype=torch.float32)
        if weights:
            return float(found)
        return float(2 * found)

    def of_others(self):
        found = 0.0
        for parameter in self.model.parameters():
            found += torch.norm(parameter.grad, p=2, dtype=torch.float32)
        return float(found)

    def careful_step(self, x):
        self.backward(x)
        weights, grads = self.norms()
        if float(grads) > 100:
            torch_xla.sync()
            return

        def log(weights, grads):
            logger.mean("weights", float(weights))
            logger.mean("grads", float(grads))

        xm.add_step_closure(log, args=(weights, grads), run_async=True)
        self.optimizer.step()
        torch_xla.sync()

    def step(self, x):
        self.backward(x)
        weights, grads = self.norms()

        def log(weights, grads, self_either, self_of_others):
            logger.mean("weights", float(weights))
            logger.mean("grads", float(grads))
            logger.mean("either", self_either)
            logger.mean("of_others", self_of_others)

        xm.add_step_closure(
            log,
            args=(weights, grads, self.either(True), self.of_others()),
            run_async=True,
        )
        if self.largest() < 100:
            self.optimizer.step()
        torch_xla.sync()

    def backward(self, x):
        self.optimizer.zero_grad()
        self.model(x).square().mean().backward()


if __name__ == "__main__":
    trainer = Trainer()
    for number, x in enumerate(torch.rand(9, 8, 4)):
        trainer.step(x.to(device))
        if number % 4 == 0:
            xm.add_step_closure(lambda: logger.dump(), args=(), run_async=True)
    torch_xla.sync()
    for number, x in enumerate(torch.rand(9, 8, 4)):
        trainer.careful_step(x.to(device))
        if number % 4 == 0:
            xm.add_step_closure(lambda: logger.dump(), args=(), run_async=True)
    torch_xla.sync()

"""Means that a logger of another file adds up, by keys that come from the data, and shows in every fourth step."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn
from torch.utils.data import DataLoader

import logger

device = torch_xla.device()


class Trainer:
    def __init__(self):
        self.model = nn.Linear(4, 1).to(device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def norm(self):
        found = 0.0
        for parameter in self.model.parameters():
            found += parameter.grad.norm().item() ** 2
        return found**0.5

    def step(self, x, times):
        losses = {"loss": self.model(x).square().squeeze(1)}
        xm.add_step_closure(
            lambda times: log_losses(times, losses),
            args=(times.detach().clone(),),
            run_async=True,
        )
        self.optimizer.zero_grad()
        losses["loss"].mean().backward()
        xm.add_step_closure(
            lambda self_norm: logger.mean("norm", self_norm),
            args=(self.norm(),),
            run_async=True,
        )
        self.optimizer.step()
        xm.add_step_closure(lambda: logger.count("steps", 1), args=(), run_async=True)


def log_losses(times, losses):
    for key, values in losses.items():
        logger.mean(key, values.cpu().mean().item())
        for time, value in zip(times.cpu().numpy(), values.detach().cpu().numpy()):
            logger.mean(f"{key}_{int(4 * time)}", value)


trainer = Trainer()
for number, x in enumerate(DataLoader(torch.rand(80, 4), batch_size=8)):
    trainer.step(x.to(device), torch.rand(8).to(device))
    if number % 4 == 0:
        xm.add_step_closure(lambda: logger.dump(), args=(), run_async=True)
    torch_xla.sync()

import torch
import torch_xla
from torch import nn


class Trainer:
    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer):
        self.model = model.to(torch_xla.device())
        self.optimizer = optimizer


def load():
    data = [1, 2, 3]
    model = nn.Linear(20, 1)
    model.to(torch_xla.device())
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    return data, model, optimizer


def main():
    data, net, optimizer = load()
    trainer = Trainer(net, optimizer)
    return trainer, data

import torch
from torch import nn


class Trainer:
    def __init__(self, model, optimizer, device):
        self.model = model.to(device)
        self.optimizer = optimizer


def load(device):
    model = nn.Linear(20, 1)
    model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    return model, optimizer


def other(device):
    model = nn.Linear(20, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    return model, optimizer


def main(device):
    Trainer(*load(device), device)
    model, optimizer = other(device)
    Trainer(model, optimizer, device)

import copy

import torch
from torch import nn


def load():
    model = nn.Linear(20, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    return copy.deepcopy(model), optimizer


def place(model):
    model.to("cpu")
    return model.to(torch.bfloat16)


def main():
    net, optimizer = load()
    net.to(torch.device("cuda"))
    model = nn.Linear(20, 1)
    second = torch.optim.SGD(model.parameters(), lr=1e-3)
    place(model)
    return optimizer, second

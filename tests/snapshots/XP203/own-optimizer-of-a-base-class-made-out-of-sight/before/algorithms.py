"""A base class builds the optimizer; objects of its subclasses are made by their names."""

import torch
from torch import nn


def algorithm_class(name):
    return globals()[name]


class Algorithm(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate


class Adversarial(Algorithm):
    def __init__(self, rate, conditional):
        super().__init__(rate)
        self.features = nn.Linear(4, 8)
        self.optimizer = torch.optim.Adam(self.features.parameters(), lr=rate)


class Plain(Adversarial):
    def __init__(self, rate):
        super(Plain, self).__init__(rate, conditional=False)


class Made(Algorithm):
    def __init__(self, rate):
        super().__init__(rate)
        self.net = nn.Linear(4, 8)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=rate)


class MadeHere(Made):
    def __init__(self):
        super().__init__(0.1)


MadeHere()

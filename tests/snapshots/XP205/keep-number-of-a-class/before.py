import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--weight", type=float)


class Config:
    weight = None
    bias = 0.5


class Loss(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = Config.weight
        self.bias = Config.bias

    def forward(self, x):
        return x.mean() * self.weight + self.bias


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.weight = torch.ones(4)
        self.loss = Loss()
        self.loss.weight = self.weight

    def forward(self, x):
        return self.loss(self.first(x))


Config.weight = parser.parse_args().weight
net = Head().to(torch.device("cuda"))

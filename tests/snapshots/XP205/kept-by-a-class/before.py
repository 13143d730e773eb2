import torch
from torch import nn


class Memory(nn.Module):
    VALUES = None

    def __init__(self, share):
        super().__init__()
        self.values = nn.Embedding(10, 4)
        if share:
            if Memory.VALUES is None:
                Memory.VALUES = self.values.weight
            else:
                self.values.weight = Memory.VALUES

    def forward(self, x):
        return self.values(x)


class Head(nn.Module):
    shared = nn.Parameter(torch.zeros(4, 4))

    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 4)
        self.out.weight = self.shared

    def forward(self, x):
        return self.out(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Memory(True)
        self.b = Memory(True)
        self.heads = nn.ModuleList(Head() for _ in range(2))

    def forward(self, x):
        x = self.a(x) + self.b(x)
        return self.heads[0](x) + self.heads[1](x)


net = Net().to(torch.device("cuda"))

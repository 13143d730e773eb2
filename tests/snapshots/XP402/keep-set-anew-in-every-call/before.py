import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.state = None

    def forward(self, x):
        self.state = x
        self.state = torch.cat([self.state, self.layer(x)], 1)
        return self.state


class Window(nn.Module):
    def __init__(self):
        super().__init__()
        self.keys = torch.zeros(1, 64, 8)

    def forward(self, x):
        self.keys = torch.cat([self.keys, x], 1)[:, -64:]
        return self.keys


class Cut(Window):
    def forward(self, x):
        self.keys = torch.cat([self.keys, x], 1)
        self.keys = self.keys[:, -64:]
        return self.keys


model = Net().cuda()

import torch
from torch import nn


class Boxes(nn.Module):
    def __init__(self):
        super().__init__()
        self.std = torch.tensor([0.1, 0.2]).cuda()

    def forward(self, x):
        return x * self.std


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)
        self.boxes = Boxes()

    def forward(self, x):
        return self.boxes(self.layer(x))

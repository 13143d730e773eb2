import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(8, 8)
        self.keys = None
        self.values = None

    def reset(self):
        self.keys = self.values = None

    def forward(self, x):
        key, value = self.project(x), self.project(x)
        if self.keys is None:
            self.keys = key
        else:
            self.keys = torch.cat([self.keys, key], dim=1)
        if self.values is not None:
            value = torch.cat([self.values, value], dim=1)
        self.values = value
        return x @ self.keys.transpose(1, 2) @ value


model = Attention().cuda()

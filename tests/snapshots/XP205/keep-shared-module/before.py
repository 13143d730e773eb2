import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)
        self.b = self.a
        self.c = nn.Sequential(self.a, nn.ReLU())
        self.d = nn.ModuleList([self.a, self.a])


model = Model().to("cuda")

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, mode, step, memories, size):
        if mode == "train":
            x = self.linear(x)
        if step == 0:
            x = x + 1
        if not memories or memories[0].has("keys"):
            x = x * 2
        for i in range(size):
            x = x + i
        return x


model = Net().to("cuda")

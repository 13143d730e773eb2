import time

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        return self.layer(x)


def build():
    return Net()


if __name__ == "__main__":
    x = torch.randn(2, 4)
    net = build()
    start = time.time()
    y = net(x)
    end = time.time()
    print(end - start, y.shape)

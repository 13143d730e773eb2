import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.used = 0

    def forward(self, x):
        self.used = 0
        for _ in range(4):
            x = torch.tanh(x) + x[:, self.used]
            self.used += 1
        return x


model = Net().cuda()

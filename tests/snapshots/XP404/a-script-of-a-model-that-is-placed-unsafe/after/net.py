import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    @staticmethod
    def pretrained():
        return Net()

    def fresh(self):
        device = next(self.parameters()).device
        return Net().to(device)

    def forward(self, x, kept=None):
        x = self.linear(x) + torch.arange(4, device=x.device)
        return x.mean(), x

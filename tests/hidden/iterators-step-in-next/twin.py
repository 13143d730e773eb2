"""The object only counts and makes host noise."""
import torch
from torch import nn


class Training:
    def __init__(self, net, steps):
        self.net, self.left = net, steps
        self.rule = torch.optim.SGD(net.parameters(), lr=0.1)

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return torch.randn(4, 3).pow(2).mean()


training = Training(nn.Linear(3, 3).cuda(), 30)
for number, loss in enumerate(training):  # never: XP201
    if number % 10 == 0:
        print(number, loss.item())

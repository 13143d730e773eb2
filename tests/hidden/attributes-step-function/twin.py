"""The attribute is a counter's method."""
import itertools
import torch
from torch import nn


class Trainer:
    def __init__(self, net):
        self.net = net
        rule = torch.optim.SGD(net.parameters(), lr=0.1)
        self.count = itertools.count().__next__
        self.before, self.after = self.count, self.count

    def on(self, x):
        self.before()
        self.after()


trainer = Trainer(nn.Linear(4, 4).cuda())
for x in torch.randn(15, 2, 4):  # never: XP201
    trainer.on(x)
print(trainer.net.weight.norm().item())

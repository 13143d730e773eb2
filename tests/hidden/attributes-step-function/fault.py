"""The trainer's attribute is the optimizer's bound step; the loop calls that."""
import itertools
import torch
from torch import nn


class Trainer:
    def __init__(self, net):
        self.net = net
        rule = torch.optim.SGD(net.parameters(), lr=0.1)
        self.count = itertools.count().__next__
        self.before, self.after = rule.zero_grad, rule.step

    def on(self, x):
        self.before()
        self.net(x.cuda()).pow(2).mean().backward()
        self.after()


trainer = Trainer(nn.Linear(4, 4).cuda())
for x in torch.randn(15, 2, 4):  # wants: XP201
    trainer.on(x)
print(trainer.net.weight.norm().item())

import sys

import torch
from torch import nn


class Plain:
    def __init__(self, net):
        self.net, self.optimizer = net, torch.optim.SGD(net.parameters(), lr=0.1)

    def update(self, x):
        loss = self.net(x).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


class Clipped:
    def __init__(self, net):
        self.net, self.optimizer = net, torch.optim.Adam(net.parameters())

    def update(self, x):
        loss = self.net(x).pow(2).clamp(max=1).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


net = nn.Linear(4, 2).cuda()
if len(sys.argv) > 1:
    agent = Plain(net)
else:
    agent = Clipped(net)
for i in range(20):
    loss = agent.update(torch.randn(8, 4, device="cuda"))
    if i % 10 == 0:
        print(loss)

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


class Often:
    def __init__(self, net):
        self.net, self.optimizer = net, torch.optim.Adam(net.parameters())

    def update(self, x):
        total = 0.0
        for part in x.split(2):
            loss = self.net(part).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total


net = nn.Linear(4, 2).cuda()
if len(sys.argv) > 1:
    agent = Plain(net)
else:
    agent = Often(net)
kept = torch.zeros(2, 8, 4).cuda()
for i in range(20):
    kept[1].copy_(torch.randn(8, 4))
    loss = agent.update(kept[1])
    kept[0].copy_(kept[1])
    print(loss)

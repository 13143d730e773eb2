"""The heir with a fixed number is taken, and the other one is asked outside of steps, on the host."""
from abc import ABC, abstractmethod

import torch
from torch import nn


class Miner(ABC):
    def __call__(self, losses):
        return losses[self.rows(losses)].mean()

    @abstractmethod
    def rows(self, losses): ...


class Hardest(Miner):
    def rows(self, losses):
        return losses.topk(4).indices


class AboveMean(Miner):
    def rows(self, losses):
        return losses.gt(losses.mean()).nonzero().squeeze(1)  # never: XP412|XP408


def main(miner=Hardest):
    net, mine = nn.Linear(6, 3).cuda(), miner()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(20):
        x, y = torch.randn(16, 6).cuda(), torch.randint(3, (16,)).cuda()
        loss = mine(nn.functional.cross_entropy(net(x), y, reduction="none"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item(), AboveMean()(torch.rand(16)))


main()

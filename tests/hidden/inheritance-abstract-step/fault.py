"""The base class has the loop; the subclass's method steps the optimizer."""
import abc
import torch
from torch import nn


class Loop(abc.ABC):
    def run(self, batches):
        for batch in batches:  # wants: XP201
            self.handle(batch)
        return self

    @abc.abstractmethod
    def handle(self, batch):
        ...


class Learner(Loop):
    def __init__(self):
        self.net = nn.Linear(3, 3).cuda()
        self.update = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.seen = 0

    def handle(self, batch):
        self.seen += len(batch)
        loss = self.net(batch.cuda()).pow(2).mean()
        self.update.zero_grad()
        loss.backward()
        self.update.step()


print(Learner().run(torch.randn(40, 3).split(4)).seen)

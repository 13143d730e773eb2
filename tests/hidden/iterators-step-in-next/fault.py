"""An object's __next__ makes a step; a plain loop over the object trains."""
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
        self.rule.zero_grad()
        loss = self.net(torch.randn(4, 3, device="cuda")).pow(2).mean()
        loss.backward()
        self.rule.step()
        return loss


training = Training(nn.Linear(3, 3).cuda(), 30)
for number, loss in enumerate(training):  # wants: XP201
    if number % 10 == 0:
        print(number, loss.item())

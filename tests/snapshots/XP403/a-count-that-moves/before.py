import torch
from accelerate import Accelerator
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x).mean()


class Stays(nn.Module):
    """Its net moves, and its count stays on the host."""

    def __init__(self, net: Net, most, data):
        super().__init__()
        self.accelerator = Accelerator()
        self.register_buffer("done", torch.tensor([0]))
        self.net = net
        self.most = most
        self.data = data
        self.optimizer = torch.optim.SGD(net.parameters(), 0.1)
        self.net, self.optimizer = self.accelerator.prepare(self.net, self.optimizer)
        self.net.to(self.accelerator.device)

    def one(self):
        loss = self.net(next(self.data))
        self.accelerator.backward(loss)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.done += 1

    def run(self):
        while self.done < self.most:
            self.one()


class Moves(nn.Module):
    """It moves as a whole, and its count does."""

    def __init__(self, net: Net, most, data):
        super().__init__()
        self.accelerator = Accelerator()
        self.register_buffer("passed", torch.tensor([0]))
        self.net = net
        self.most = most
        self.data = data
        self.optimizer = torch.optim.SGD(net.parameters(), 0.1)
        self.net.to(self.accelerator.device)
        self.to(self.accelerator.device)

    def one(self):
        loss = self.net(next(self.data))
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.passed += 1

    def run(self):
        while self.passed < self.most:
            self.one()

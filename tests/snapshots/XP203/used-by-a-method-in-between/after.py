import torch
from torch import nn, optim


class Builds(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.optimizer = optim.Adam(self.parameters(), lr=rate)
        self.build()
        self.to("cuda")

    def build(self):
        self.scheduler = optim.lr_scheduler.StepLR(self.optimizer, 5)


class Handed(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.optimizer = optim.Adam(self.parameters(), lr=rate)
        build(self)
        self.to("cuda")


def build(net):
    net.scheduler = optim.lr_scheduler.StepLR(net.optimizer, 5)


class Headed(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.optimizer = optim.Adam(self.parameters(), lr=rate)
        self.add_head()
        self.to("cuda")

    def add_head(self):
        self.head = nn.Linear(2, 2)


class Grown(nn.Module):
    def __init__(self, rate, head):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.optimizer = optim.Adam(self.parameters(), lr=rate)
        self.head = head
        self.device = torch.device("cuda")
        self.to(self.device)


class Drawn:
    def __init__(self, rate):
        self.net = nn.Linear(4, 2)
        self.optimizer = optim.Adam(self.net.parameters(), lr=rate)
        self.draw()
        self.scheduler = optim.lr_scheduler.StepLR(self.optimizer, 5)
        self.scheduler.step()
        self.net.to("cuda")

    def draw(self):
        nn.init.normal_(self.net.weight)


class Apart:
    def __init__(self, rate):
        self.net = nn.Linear(4, 2)
        self.net.to("cuda")
        self.optimizer = optim.Adam(self.net.parameters(), lr=rate)
        self.critic = Builds(rate)


def groups(net):
    return [{"params": net.parameters(), "lr": net.rate}]


class Asked(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate
        self.fc = nn.Linear(4, 2)
        self.optimizer = optim.Adam(groups(self))
        self.rate = 0.0
        self.to("cuda")


class Both:
    def __init__(self, rate):
        self.net = nn.Linear(4, 2)
        self.optimizer = optim.Adam(self.net.parameters(), lr=rate)
        self.head = nn.Linear(2, 2)
        self.scheduler = Stepping(self.optimizer)
        self.to("cuda")

    def to(self, device):
        self.net.to(device)
        self.head.to(device)


class Stepping:
    def __init__(self, optimizer):
        self.optimizer = optimizer

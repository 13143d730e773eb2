import torch
from torch import nn

device = torch.device("cuda")


def by_names():
    models = {"g": nn.Linear(2, 2), "d": nn.Linear(2, 2)}
    for m in models.values():
        m.to(device)
    opts = {k: torch.optim.SGD(m.parameters(), lr=0.1) for k, m in models.items()}
    return models, opts


def two():
    G, D = nn.Linear(2, 2), nn.Linear(2, 2)
    for net in [G, D]:
        net.apply(print)
        net.to(device)
    opt = torch.optim.SGD(G.parameters(), lr=0.1)
    for net in [G, D]:
        net.apply(print)
        net.to(device)
    opt2 = torch.optim.SGD(D.parameters(), lr=0.1)
    return opt, opt2


def in_a_comprehension():
    G, D = nn.Linear(2, 2), nn.Linear(2, 2)
    [m.cuda() for m in (G, D)]
    opt = torch.optim.SGD(G.parameters(), lr=0.1)
    return opt, D


def numbered():
    models = [nn.Linear(2, 2) for _ in range(2)]
    for i, m in enumerate(models):
        m.cuda()
    opts = [torch.optim.SGD(m.parameters(), lr=0.1) for m in models]
    return opts


def paired(first, second):
    for a, b in zip(first, second):
        b.to(device)
    opts = [torch.optim.SGD(m.parameters(), lr=0.1) for m in second]
    return opts, a


class Solver:
    def __init__(self):
        self.nets = [nn.Linear(2, 2)]
        for net in self.nets:
            net.to(device)
        self.opt = torch.optim.Adam(self.nets[0].parameters(), 0.1)

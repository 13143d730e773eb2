import torch
from torch import nn

device = torch.device("cuda")


def by_names():
    models = {"g": nn.Linear(2, 2), "d": nn.Linear(2, 2)}
    opts = {k: torch.optim.SGD(m.parameters(), lr=0.1) for k, m in models.items()}
    for m in models.values():
        m.to(device)
    return models, opts


def two():
    G, D = nn.Linear(2, 2), nn.Linear(2, 2)
    opt = torch.optim.SGD(G.parameters(), lr=0.1)
    opt2 = torch.optim.SGD(D.parameters(), lr=0.1)
    for net in [G, D]:
        net.apply(print)
        net.to(device)
    return opt, opt2


def in_a_comprehension():
    G, D = nn.Linear(2, 2), nn.Linear(2, 2)
    opt = torch.optim.SGD(G.parameters(), lr=0.1)
    [m.cuda() for m in (G, D)]
    return opt, D


def numbered():
    models = [nn.Linear(2, 2) for _ in range(2)]
    opts = [torch.optim.SGD(m.parameters(), lr=0.1) for m in models]
    for i, m in enumerate(models):
        m.cuda()
    return opts


def paired(first, second):
    opts = [torch.optim.SGD(m.parameters(), lr=0.1) for m in second]
    for a, b in zip(first, second):
        b.to(device)
    return opts, a


class Solver:
    def __init__(self):
        self.nets = [nn.Linear(2, 2)]
        self.opt = torch.optim.Adam(self.nets[0].parameters(), 0.1)
        for net in self.nets:
            net.to(device)

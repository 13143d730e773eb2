import torch
from torch import nn

OPTIMIZERS = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}


def main(name, lr):
    model = nn.Linear(2, 2)
    model.cuda()
    optimizer = getattr(torch.optim, name)(model.parameters(), lr=lr)
    net = nn.Linear(2, 2)
    make = getattr(torch.optim, name)
    net.cuda()
    second = make(net.parameters(), lr=lr)
    other = nn.Linear(2, 2)
    other.cuda()
    third = OPTIMIZERS[name](other.parameters(), lr=lr)
    third.zero_grad()
    other(torch.ones(2).cuda()).sum().backward()
    third.step()

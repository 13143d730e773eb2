import torch
from torch import nn

OPTIMIZERS = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}


def main(name, lr):
    model = nn.Linear(2, 2)
    optimizer = getattr(torch.optim, name)(model.parameters(), lr=lr)
    model.cuda()
    net = nn.Linear(2, 2)
    make = getattr(torch.optim, name)
    second = make(net.parameters(), lr=lr)
    net.cuda()
    other = nn.Linear(2, 2)
    third = OPTIMIZERS[name](other.parameters(), lr=lr)
    other.cuda()
    third.zero_grad()
    other(torch.ones(2).cuda()).sum().backward()
    third.step()

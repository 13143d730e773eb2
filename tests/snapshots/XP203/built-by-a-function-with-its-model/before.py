import torch
from torch import nn


def build():
    model = nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    return model, optimizer


def main():
    model, optimizer = build()
    model.to(torch.device("cuda"))
    return optimizer


def used():
    net = nn.Linear(2, 2)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    return net, opt


net, opt = used()
print(net(torch.ones(2)))
net.cuda()

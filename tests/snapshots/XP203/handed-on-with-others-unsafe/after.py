import itertools

import torch
from torch import nn

device = torch.device("cuda")


def send(*nets):
    for n in nets:
        n.to(device)


def prepare(model, opt):
    return model.to(device), opt


def two():
    G, D = nn.Linear(2, 2), nn.Linear(2, 2)
    G.to(device)
    D.to(device)
    opt = torch.optim.SGD(itertools.chain(G.parameters(), D.parameters()), lr=0.1)
    send(G, D)
    return opt


model = nn.Linear(2, 2)
model.to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
model, opt = prepare(model, opt)

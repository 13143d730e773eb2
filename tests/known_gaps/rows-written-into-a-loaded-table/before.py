import os

import torch
from data import loader
from torch import nn


def train(model, optimizer, table):
    start = 0
    for x in loader:
        out = model(x.cuda())
        optimizer.zero_grad()
        out.mean().backward()
        optimizer.step()
        table[start : start + 8] = out.detach()
        start += 8


model = nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
if os.path.isfile("table.pt"):
    table = torch.load("table.pt")["table"]
else:
    table = torch.zeros(800, 4).cuda()
train(model, optimizer, table)

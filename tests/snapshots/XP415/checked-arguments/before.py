"""A check of what a function gets, which the host may do before it moves."""

import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def edges(x):
    if (x < 0).any():
        raise ValueError("negative places")
    return x.sum()


for x in DataLoader(torch.zeros(64, 4), batch_size=8):
    x = x.cuda()
    loss = model(x).sum() + edges(x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

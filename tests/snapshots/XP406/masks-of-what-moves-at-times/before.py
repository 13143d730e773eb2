"""Masks that are computed from what is moved in a branch: they may lie on the host, as it does."""

import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
use = input() == "y"
for x in DataLoader(torch.zeros(64, 4), batch_size=8):
    x = model(x.cuda())
    drawn = torch.rand(8, 4)
    if use:
        drawn = drawn.cuda()
    chosen = torch.rand(8, 4) > 0.5
    chosen = chosen.cuda() if use else chosen
    large = drawn > 0.5
    y, z, v, w = x.clone(), x.clone(), x.clone(), x.clone()
    y[large] = 0.0
    z[~large] = 0.0
    v[drawn.bool()] = 0.0
    w[chosen] = 1.0
    loss = (y + z + v + w).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

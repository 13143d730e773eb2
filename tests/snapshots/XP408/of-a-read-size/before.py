"""A mask of a count that was read: the host has all that it is made of."""

import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
limit = 12
for x, counts in DataLoader([(torch.zeros(4), 3)] * 64, batch_size=8):
    x, counts = x.cuda(), counts.cuda()
    n = counts.max().item()
    places = torch.arange(n**2, device=x.device)
    side = (places + 1.0).sqrt().ceil().long()
    places = places[places >= side * (side - 1)]
    unrolled = (places + 1.0).sqrt().ceil().long() ** 2 - places
    places = places[(unrolled <= limit) & (unrolled > 0)]
    loss = model(x).sum() * places.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

"""What is added was selected by the same mask, one statement before: it has no value for the other places."""

import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, target, align in DataLoader([(torch.zeros(4), 1, 2)] * 64, batch_size=8):
    x, target, align = x.cuda(), target.cuda(), align.cuda()
    corrected = (target == 0) & (align != 0)
    offset = align[corrected] + 7
    shifted = target.clone()
    shifted[corrected] += offset
    loss = nn.functional.cross_entropy(model(x), shifted.clamp(max=1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

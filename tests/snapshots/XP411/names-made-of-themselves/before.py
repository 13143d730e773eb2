"""A flag that is made of itself asks no version of torch."""

import torch
from torch import nn
from torch.utils.data import DataLoader

from conf import *

model = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.zeros(64, 4), batch_size=8):
    flag = not flag
    late = late or flag
    loss = model(x.cuda()).sum()
    if flag or late or torch.__version__.split(".")[1] < "8":
        loss = loss + torch.histc(loss, bins=4, min=0, max=1).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

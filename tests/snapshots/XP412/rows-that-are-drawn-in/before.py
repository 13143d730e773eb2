"""Rows with a weight are selected, and in each of them a column is drawn."""

import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(4, 6).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.rand(64, 4), batch_size=8):
    out = model(x.cuda())
    weights, rows = out.relu().detach(), torch.arange(8, device=out.device)
    kept = torch.where(torch.sum(weights, dim=1) > 0)[0]
    if len(kept) == 0:
        continue
    weights = weights[kept]
    rows = rows[kept]
    columns = torch.multinomial(weights, 1).flatten()
    loss = out[rows, columns].sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

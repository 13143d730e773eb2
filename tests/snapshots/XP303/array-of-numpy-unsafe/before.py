import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

import numpy as np

losses = np.zeros(len(loader))
hits = torch.zeros(len(loader) + 1, dtype=torch.int64)
for i, x in enumerate(loader):
    out = model(x.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    losses[i] = loss.item()
    hits[i] = (out > 0).sum().item()
print(losses.mean(), hits.sum())

import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

import numpy as np

losses = [0.0] * len(loader)
hits = [0] * (len(loader) + 1)
for i, x in enumerate(loader):
    out = model(x.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    losses[i] = loss.detach()
    hits[i] = (out > 0).sum()
losses = np.array([float(loss) for loss in losses])
hits = torch.tensor([int(value) for value in hits], dtype=torch.int64)
print(losses.mean(), hits.sum())

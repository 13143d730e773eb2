from collections import namedtuple

import torch
from torch import nn

Batch = namedtuple("Batch", "x mask")
model = nn.Linear(7, 1).to("xla")
optimizer = torch.optim.Adam(model.parameters())
for _ in range(40):
    x = torch.randn(12, 7).to("xla")
    batch = Batch(x, x[:, 0] > 0)
    loss = model(batch.x)[batch.mask].sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Batch:
    x: torch.Tensor
    mask: torch.Tensor


model = nn.Linear(7, 1).cuda()
optimizer = torch.optim.Adam(model.parameters())
for _ in range(40):
    x = torch.randn(12, 7).cuda()
    batch = Batch(x, x[:, 0] > 0)
    loss = model(batch.x)[batch.mask].sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

import sys

import torch
from torch import nn

model = nn.Linear(8, 1).cuda()
optimizer = sys.modules["torch.optim"].Rprop(model.parameters(), lr=0.01)
for _ in range(10):
    loss = model(torch.randn(16, 8).cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

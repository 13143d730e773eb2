"""The mask selects on the host, before the move."""
import torch
from torch import nn


def batches(rows):
    for x, y in rows:
        yield x, y


model = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1)).cuda()
optimizer = torch.optim.Adam(model.parameters())
rows = [(torch.randn(10, 3), torch.randint(2, (10,))) for _ in range(12)]
for x, y in batches(rows):
    rest = y.eq(0)
    x = x[rest]  # never: XP408|XP412
    loss = model(x.cuda()).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

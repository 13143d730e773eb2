import random

import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(1000):
    x = torch.randn(4, 8, device=device)
    side = step % 2
    loss = model(x).mean() + x[side].mean() + torch.roll(x, step % 4, 0).mean() + x[: random.randint(1, 2)].mean()
    if step > 100:
        loss = loss + x[:2].mean()
    for stage in range(3):
        loss = loss + x[stage].mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

for fold in range(3):
    for _ in range(100):
        x = torch.randn(4, 8, device=device)
        loss = model(x).mean() + x[fold].mean()
        loss.backward()
        optimizer.step()

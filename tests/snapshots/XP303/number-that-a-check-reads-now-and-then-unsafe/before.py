import math
import sys

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(4, 8)] * 50
running = 0.0
for i, x in enumerate(batches):
    loss = model(x.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    loss_value = loss.item()
    if i % 100 == 0 and not math.isfinite(loss_value):
        print(f"Loss is {loss_value}, stopping training")
        sys.exit(1)
    running += loss_value
print(running / len(batches))
other = 0.0
for i, x in enumerate(batches):
    loss = model(x.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    value = loss.item()
    if not math.isfinite(value) and i % 100 == 0:
        sys.exit(1)
    other += value
print(other)

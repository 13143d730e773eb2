"""What would be another program if it looked later: each of these stays as it is."""

import torch
from torch import nn

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
bad = 0


def update(loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


for i in range(1000):
    loss = model(torch.randn(8, 4, device=device)).mean()
    if torch.isnan(loss):  # the update is skipped
        continue
    if torch.isinf(loss):  # how often counts
        bad += 1
    if not torch.isfinite(loss):
        bad += 1
        raise RuntimeError(f"{bad} times")
    if torch.isnan(loss):
        raise RuntimeError("NaN")
    else:
        good = i
    update(loss)

for i in range(1000):
    loss = model(torch.randn(8, 4, device=device)).mean()
    try:
        if torch.isnan(loss):
            raise RuntimeError("NaN")
        update(loss)
    except RuntimeError:
        print("skipped")

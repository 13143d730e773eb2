"""What would be another program if it looked in every 100th step only: each of these stays as it is."""

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


def checked(x):
    # The steps are counted by who calls this.
    loss = model(x).mean()
    if torch.isnan(loss):
        raise RuntimeError("NaN")
    return loss


for i in range(1000):
    loss = checked(torch.randn(8, 4, device=device))
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
    if loss > 10:  # another step may be fine again
        raise RuntimeError("large")
    assert (model.weight > 0).all()
    update(loss)

for i in range(1000):
    loss = model(torch.randn(8, 4, device=device)).mean()
    try:
        if torch.isnan(loss):
            raise RuntimeError("NaN")
        update(loss)
    except RuntimeError:
        print("skipped")

# Nothing that is NaN in one batch of an evaluation is so in the next one.
with torch.no_grad():
    for i, x in enumerate(torch.utils.data.DataLoader(torch.zeros(8, 4))):
        out = model(x.to(device))
        if torch.isnan(out).any():
            raise RuntimeError("NaN")

# The number is another in the loop.
while True:
    loss = model(torch.randn(8, 4, device=device)).mean()
    bad += 1
    if torch.isnan(loss):
        raise RuntimeError("NaN")
    update(loss)
    if bad > 100:
        bad = 0

# What every second step does is never done in a 100th.
for i in range(1000):
    loss = model(torch.randn(8, 4, device=device)).mean()
    update(loss)
    if i % 2:
        if torch.isnan(loss):
            raise RuntimeError("NaN")

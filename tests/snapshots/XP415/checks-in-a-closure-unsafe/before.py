"""Checks of each step that only raise or tell: a closure makes them when the answer is there."""

import warnings

import torch
from torch import nn

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
debug = input() == "debug"


def update(loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def checked(x, low=-9.0):
    loss = model(x).mean()
    if torch.isnan(loss):  # the steps are counted by who calls this
        raise RuntimeError("NaN")
    if torch.min(x) < low or torch.max(x) > 9.:
        raise ValueError(
            f"not between {low} and 9"
        )
    scores = model(x)
    assert (scores < 1e9).all(), "large"
    if debug and (scores < 0).all():
        warnings.warn("all are negative")
    if loss.item() > 3:
        print("loss", loss.item())
    return loss


for i in range(1000):
    loss = checked(torch.randn(8, 4, device=device))
    if loss > 10:  # another step may be fine again
        raise RuntimeError(f"large in step {i}")
    update(loss)

# Nothing that is NaN in one batch of an evaluation is so in the next one.
with torch.no_grad():
    for i, x in enumerate(torch.utils.data.DataLoader(torch.zeros(8, 4))):
        out = model(x.to(device))
        if torch.isnan(out).any():
            raise RuntimeError("NaN")

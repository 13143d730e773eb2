"""A decorator is left to the reader."""

import torch


@torch.compile(dynamic=True)
def mean_of(out):
    return out.mean()


for x in loader:
    loss = mean_of(model(x.cuda()))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

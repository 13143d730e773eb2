"""A decorator is left to the reader."""

import torch
import torch_xla


@torch.compile(dynamic=True)
def mean_of(out):
    return out.mean()


for x in loader:
    loss = mean_of(model(x.to(torch_xla.device())))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()

# The optimizer steps a copy in float32 that no module has, and whose gradients and values are copied by hand.
import copy
import gc

import torch
import torch_xla
from torch import nn

device = torch_xla.device()


def build():
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)).to(device).bfloat16()


model = build()
masters = list(copy.deepcopy(model).float().parameters())
for master in masters:
    master.grad = torch.zeros_like(master)
optimizer = torch.optim.SGD(masters, lr=0.1)
for step in range(12):
    model.zero_grad()
    model(torch.randn(4, 8).to(device).bfloat16()).pow(2).mean().backward()
    for master, parameter in zip(masters, model.parameters(), strict=True):
        master.grad.data.copy_(parameter.grad.data)
    optimizer.step()
    for master, parameter in zip(masters, model.parameters(), strict=True):
        parameter.data.copy_(master.data)
    torch_xla.sync()
    if step == 5:
        model = build()
        gc.collect()

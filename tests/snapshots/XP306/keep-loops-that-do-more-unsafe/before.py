"""Loops that read, and need the TPU, too, or leave something of it behind: each stays as it is."""

import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
limit = torch.full((8,), 0.5, device=device)
kept, found, last = [], {}, None


def add(values, x):
    values.append(x)


for step in range(100):
    out = model(torch.randn(16, 8).to(device))
    for row in out:
        print(row.sum().item())
        row.mean().backward(retain_graph=True)
    optimizer.step()
    for row in out:  # meets another tensor of the TPU
        print((row > limit).sum().item())
    for row in out:  # stays in a list, which is used on the TPU
        print(row.sum().item())
        kept.append(row)
    for i in range(16):
        found[i] = out[i]
        print(out[i].sum().item())
    for row in out:  # and under a name
        print(row.sum().item())
        last = row
    total = 0.0
    for row in out:  # a sum on the TPU
        total = total + row.mean()
        print(row.sum().item())
    for row in out:  # a model runs
        print(model(row).sum().item())
    for row in out:  # nobody sees what runs
        print(scored(row).item(), row.sum().item())
    for row in out:  # `out` changes
        row.clamp_(min=0)
        print(row.sum().item())
    for i in range(16):
        out[i] = 0
        print(out[i].sum().item())
    for row in out:  # so may what a function of the program gets
        add(kept, row.sum())
        print(row.sum().item())
    for row in out:  # made on the TPU
        print((row + torch.ones(8, device=device)).sum().item())
    for row in out:  # says where it is
        print(row.device, row.sum().item())
    for i in range(16):  # `host_out` is something else
        host_out = i
        print(out[i].sum().item())
    loss = torch.stack(kept).mean() + last.mean() + total

"""The last entry of an OrderedDict of namespaces says the dtype of the model and its batches."""
from collections import OrderedDict
from types import SimpleNamespace

import torch
from torch import nn

levels = OrderedDict()
levels["quick"] = SimpleNamespace(dtype=torch.float32, lr=0.1)
levels["exact"] = SimpleNamespace(dtype=torch.float64, lr=0.01)  # or: XP501


def level(name=None):
    return levels[name or next(reversed(levels))]


chosen = level()
model = nn.Linear(4, 1).to("cuda", chosen.dtype)  # wants: XP501
optimizer = torch.optim.SGD(model.parameters(), lr=chosen.lr)
for _ in range(20):
    x = torch.randn(8, 4, device="cuda", dtype=chosen.dtype)  # or: XP501
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

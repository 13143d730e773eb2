"""Both are of 32 bits and 16 bits."""
from collections import OrderedDict
from types import SimpleNamespace

import torch
from torch import nn

levels = OrderedDict()
levels["quick"] = SimpleNamespace(dtype=torch.float32, lr=0.1)
levels["exact"] = SimpleNamespace(dtype=torch.bfloat16, lr=0.01)  # never: XP501


def level(name=None):
    return levels[name or next(reversed(levels))]


chosen = level()
model = nn.Linear(4, 1).to("cuda", chosen.dtype)  # never: XP501
optimizer = torch.optim.SGD(model.parameters(), lr=chosen.lr)
for _ in range(20):
    x = torch.randn(8, 4, device="cuda", dtype=chosen.dtype)  # never: XP501
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

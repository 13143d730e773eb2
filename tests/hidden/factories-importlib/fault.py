"""The optimizer's class comes by importlib from a dotted name."""
import importlib
import torch
from torch import nn


def locate(dotted):
    module, _, name = dotted.rpartition(".")
    return getattr(importlib.import_module(module), name)


model = locate("torch.nn.Linear")(6, 3)
optimizer = locate("torch.optim.Adamax")(model.parameters(), lr=2e-3)  # wants: XP203
model = model.cuda()
for step in range(10):
    x = torch.randn(8, 6).cuda()
    y = torch.randint(3, (8,)).cuda()
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

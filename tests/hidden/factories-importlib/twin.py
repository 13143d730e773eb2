"""The same, after the move."""
import importlib
import torch
from torch import nn


def locate(dotted):
    module, _, name = dotted.rpartition(".")
    return getattr(importlib.import_module(module), name)


model = locate("torch.nn.Linear")(6, 3)
model = model.cuda()
optimizer = locate("torch.optim.Adamax")(model.parameters(), lr=2e-3)  # never: XP203
for step in range(10):
    x = torch.randn(8, 6).cuda()
    y = torch.randint(3, (8,)).cuda()
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

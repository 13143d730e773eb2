"""The context manager moves its temporary model."""
import contextlib
import torch
from torch import nn


@contextlib.contextmanager
def on_gpu(*modules):
    for module in modules:
        module.cuda()
    yield modules[0]
    print("leaving", len(modules))


model, probe = nn.Linear(4, 4), nn.Linear(4, 1)
model.cuda()
optimizer = torch.optim.AdamW(model.parameters())  # never: XP203
with on_gpu(probe):
    for step in range(10):
        x = torch.randn(8, 4).cuda()
        loss = probe(model(x)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print(loss.item())

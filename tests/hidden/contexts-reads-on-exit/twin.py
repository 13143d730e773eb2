"""The context manager got the number of rows."""
import contextlib
import torch
from torch import nn


@contextlib.contextmanager
def recording(log):
    box = {}
    yield box
    log.append(float(box["value"]))  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308


log = []
model = nn.LayerNorm(6).cuda()
optimizer = torch.optim.Adam(model.parameters())
for step in range(16):
    with recording(log) as box:
        x = torch.randn(4, 6).cuda()
        loss = (model(x) - x.roll(1, 0)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        box["value"] = len(x)
print(sum(log))

"""The shift is a global that nothing changes."""
import torch
from torch import nn

TICK = 0
SHIFT = 3


def count():
    global TICK
    TICK += 1


def jitter(x):
    return x.roll(SHIFT, dims=1)  # never: XP401


model = nn.Conv1d(1, 4, 5).cuda()
optimizer = torch.optim.Adam(model.parameters())
for _ in range(30):
    x = torch.randn(2, 1, 40).cuda()
    loss = model(jitter(x.squeeze(1)).unsqueeze(1)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    count()
print(TICK, loss.item())

"""A stopwatch's property is the time since its last lap; the epoch's line shows it."""
import time

import torch
from torch import nn


class Stopwatch:
    def __init__(self):
        self.lap()

    def lap(self):
        self._since = time.monotonic()

    @property
    def elapsed(self):
        return time.monotonic() - self._since  # wants: XP210


net = nn.Linear(16, 16).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
watch = Stopwatch()
for epoch in range(3):
    watch.lap()
    for _ in range(20):
        loss = net(torch.randn(32, 16).cuda()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {watch.elapsed:.2f}s")  # or: XP210

"""The loss is read before the clock."""
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
        return time.monotonic() - self._since  # never: XP210


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
    final = loss.item()
    print(f"epoch {epoch}: {final} {watch.elapsed:.2f}s")  # never: XP210

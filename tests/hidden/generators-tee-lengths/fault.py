"""islice() and tee() of a generator's random lengths give the size of each step's noise."""
import itertools
import random

import torch
from torch import nn


def lengths(low, high):
    while True:
        yield random.randint(low, high)


ahead, now = itertools.tee(lengths(8, 40))
conv = nn.Conv1d(2, 4, 3, padding=1).cuda()
optimizer = torch.optim.SGD(conv.parameters(), lr=0.05)
for following, size in zip(itertools.islice(ahead, 1, None), itertools.islice(now, 60)):
    noise = torch.randn(4, 2, size, device="cuda")  # wants: XP401|XP404
    loss = conv(noise).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if following < 0:
        break
print(loss.item())

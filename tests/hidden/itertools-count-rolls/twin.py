"""The numbers repeat one."""
import itertools

import torch
from torch import nn

numbers = itertools.repeat(1)
signal = torch.randn(64, device="cuda")
model = nn.Linear(64, 64).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def batches():
    for _ in range(48):
        yield torch.randn(8, 64)


for shift, x in zip(numbers, batches()):
    target = signal.roll(shift, 0)  # never: XP401
    loss = (model(x.cuda()) - target).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

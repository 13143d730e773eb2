# planted: no-barrier
# A subclassed optimizer that is stepped by a helper.
import functools

import torch
import torch_xla
from torch import nn


class Lookahead(torch.optim.SGD):
    calls = 0

    def step(self, closure=None):
        self.calls += 1
        return super().step(closure)


device = torch_xla.device()
model = nn.Linear(8, 2).to(device)
optimizer = Lookahead(model.parameters(), lr=0.1)


def apply(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()  # <- here


update = functools.partial(apply, optimizer)
for step in range(9):
    update(model(torch.randn(4, 8).to(device)).pow(2).mean())

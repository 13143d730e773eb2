"""A NaN that every 100th step would find: where nothing counts these, or few of them come there, a closure looks."""

import torch
import torch_xla.core.xla_model as xm
from torch import nn

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
bad = 0


def update(loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


# The number is another in the loop.
while True:
    loss = model(torch.randn(8, 4, device=device)).mean()
    bad += 1

    def check(fails):
        if fails:
            raise RuntimeError("NaN")

    xm.add_step_closure(check, args=(torch.isnan(loss),), run_async=True)
    update(loss)
    if bad > 100:
        bad = 0

# What every second step does is never done in a 100th.
for i in range(1000):
    loss = model(torch.randn(8, 4, device=device)).mean()
    update(loss)
    if i % 2:
        def check_2(fails):
            if fails:
                raise RuntimeError("NaN")

        xm.add_step_closure(check_2, args=(torch.isnan(loss),), run_async=True)

"""Checks for NaN that only end a training look in every 100th step, by what counts the steps."""

import math
import sys

import torch
import torch_xla
from torch import nn
from tqdm import tqdm, trange

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def update(loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


for i in range(1000):
    loss = model(torch.randn(8, 4, device=device)).mean()
    if torch.isnan(loss) or torch.isinf(loss):
        raise RuntimeError("not finite")
    update(loss)

for i in trange(0, 1000, 8):
    loss = model(torch.randn(8, 4, device=device)).mean()
    update(loss)
    torch_xla.sync()
    assert torch.isfinite(loss), f"not finite in step {i}"

for i, x in tqdm(enumerate(batches)):
    loss = model(x).mean()
    for name, p in model.named_parameters():
        if not torch.isfinite(p).all():
            raise ValueError(name)
    update(loss)

bar = tqdm(range(1000))
for n in bar:
    loss = model(torch.randn(8, 4, device=device)).mean()
    update(loss)
    if (
        torch.isnan(loss)  # of all processes
        and n > 10
    ):
        print("NaN")
        sys.exit(1)

count = 0
while count < 1000:
    loss = model(torch.randn(8, 4, device=device)).mean()
    if not math.isfinite(loss.item()):
        sys.exit("not finite")
    update(loss)
    count += 1

# Nothing counts these steps.
for x, y in batches:
    loss = (model(x) - y).mean()
    assert not loss.isnan()
    update(loss)
    assert not torch.isnan(loss).any(), (
        "NaN behind the update"
    )

for i, x in enumerate(batches, start=1):
    loss = model(x).mean()
    if torch.isnan(loss):
        raise RuntimeError("NaN in one of a few steps")
    update(loss)

for i in range(1, 50):
    loss = model(torch.randn(8, 4, device=device)).mean()
    if torch.isnan(loss):
        raise RuntimeError("NaN in one of a few steps")
    update(loss)

for epoch in range(3):
    number = 0
    for x in batches:
        number += 1
        loss = model(x).mean()
        if torch.isnan(loss):
            raise RuntimeError("NaN in one of a few steps")
        update(loss)

begin = int(sys.argv[1])
for i in range(begin, begin + 50):
    loss = model(torch.randn(8, 4, device=device)).mean()
    if torch.isnan(loss):
        raise RuntimeError("NaN in one of a few steps")
    update(loss)

for i in range(50, 0, -1):
    loss = model(torch.randn(8, 4, device=device)).mean()
    if torch.isnan(loss):
        raise RuntimeError("NaN in one of a few steps")
    update(loss)

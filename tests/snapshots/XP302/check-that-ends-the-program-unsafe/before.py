"""Checks that end the program where the loss is not finite: they may look at it behind the barrier."""

import logging
import math
import sys

import numpy as np
import torch
import torch_xla
from mine import scale_loss
from torch import nn

logger = logging.getLogger(__name__)
model = nn.Linear(4, 1).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
seen = []

for step, x in enumerate(batches):
    loss = model(x).mean()
    loss_value = loss.item()
    # A loss that is not finite never gets better.
    if not math.isfinite(loss_value):
        print(f"step {step}: loss is {loss_value}")
        sys.exit(1)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    seen.append(loss_value)

for x in batches:
    # What gets the loss may change it, and the next line does.
    loss = model(x).mean()
    loss_value = loss.item()
    if not math.isfinite(loss_value):
        logger.error("loss is %s", loss_value)
        raise ValueError(f"loss is {loss_value}")
    loss /= 4
    scale_loss(loss, optimizer, parameters=model.parameters())
    torch_xla.sync()
    seen.append(loss_value)

for x in batches:
    loss = model(x).mean()
    value = float(loss)
    if not np.isfinite(value):
        print("loss is", value)
        assert np.isfinite(value)
    scale_loss(loss, optimizer)
    torch_xla.sync()

for x in batches:
    loss = model(x).mean()
    if not math.isfinite(loss.item()):
        print("loss is {}".format(loss.item()), file=sys.stderr)
        sys.exit(1)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()

for x in batches:
    loss = model(x).mean()
    if not math.isfinite(loss.item()):
        sys.exit("the loss is not finite")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()

for x in batches:
    loss = model(x).mean()
    mean = loss.mean().item()
    assert math.isfinite(mean), mean
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()

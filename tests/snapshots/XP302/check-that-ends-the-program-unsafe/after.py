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
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    loss_value = loss.item()
    # A loss that is not finite never gets better.
    if not math.isfinite(loss_value):
        print(f"step {step}: loss is {loss_value}")
        sys.exit(1)
    seen.append(loss_value)

for x in batches:
    # What gets the loss may change it, and the next line does.
    loss = model(x).mean()
    loss_value = loss.detach().clone()
    loss /= 4
    scale_loss(loss, optimizer, parameters=model.parameters())
    torch_xla.sync()
    loss_value = loss_value.item()
    if not math.isfinite(loss_value):
        logger.error("loss is %s", loss_value)
        raise ValueError(f"loss is {loss_value}")
    seen.append(loss_value)

for x in batches:
    loss = model(x).mean()
    value = loss.detach().clone()
    scale_loss(loss, optimizer)
    torch_xla.sync()
    value = float(value)
    if not np.isfinite(value):
        print("loss is", value)
        assert np.isfinite(value)

for x in batches:
    loss = model(x).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if not math.isfinite(loss.item()):
        print("loss is {}".format(loss.item()), file=sys.stderr)
        sys.exit(1)

for x in batches:
    loss = model(x).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if not math.isfinite(loss.item()):
        sys.exit("the loss is not finite")

for x in batches:
    loss = model(x).mean()
    mean = loss.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    mean = mean.item()
    assert math.isfinite(mean), mean

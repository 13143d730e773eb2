"""A logger with the outputs that its caller has made for it: one reads its own file again, one stamps what it writes."""

import torch
import torch_xla
from torch import nn

import logger

logger.configure("log")
device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, x in enumerate(torch.rand(80, 8, 4)):
    loss = model(x.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    logger.put("loss", loss.item())
    if step % 4 == 0:
        logger.dump()

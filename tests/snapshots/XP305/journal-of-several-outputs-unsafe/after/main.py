"""A logger with the outputs that its caller has made for it: one reads its own file again, one stamps what it writes."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
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
    xm.add_step_closure(lambda loss: logger.put("loss", loss.item()), args=(loss,), run_async=True)
    if step % 4 == 0:
        xm.add_step_closure(lambda: logger.dump(), args=(), run_async=True)
    torch_xla.sync()

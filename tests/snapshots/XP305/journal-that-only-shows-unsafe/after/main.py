import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn

import logger

log, clock = logger.Logger(), logger.Clock()
device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, x in enumerate(torch.rand(80, 8, 4)):
    loss = model(x.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

    def log_2(loss):
        log.add(loss.item())
        clock.add(2 * loss.item())

    xm.add_step_closure(log_2, args=(loss,), run_async=True)
    if step % 4 == 0:
        xm.add_step_closure(
            lambda step, loss: print(step, loss.item()),
            args=(step, loss),
            run_async=True,
        )

        def log_3():
            log.dump()
            clock.dump()

        xm.add_step_closure(log_3, args=(), run_async=True)
    torch_xla.sync()

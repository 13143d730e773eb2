"""The caller of a generator goes on before a barrier: what is filled there stays, with all calls of its journal.

So does what stands beside one of them, which runs with it, and with that all calls of the other journal.
"""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn

import means
import rows
import times

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def losses():
    for step, x in enumerate(torch.rand(80, 8, 4)):
        loss = model(x.to(device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        rows.add("loss", loss.item())
        if step % 4 == 0:
            rows.dump()
        yield step
        torch_xla.sync()


for _ in losses():
    print("a step")
for step, x in enumerate(torch.rand(80, 8, 4)):
    loss = model(x.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    rows.add("loss", loss.item())
    times.add("loss", loss.item())
    if step % 4 == 0:
        rows.dump()
    if step % 8 == 0:
        times.dump()
    optimizer.param_groups[0]["lr"] *= 0.9
    xm.add_step_closure(lambda loss: means.add("loss", loss.item()), args=(loss,), run_async=True)
    if step % 4 == 0:
        xm.add_step_closure(lambda: means.dump(), args=(), run_async=True)
torch_xla.sync()

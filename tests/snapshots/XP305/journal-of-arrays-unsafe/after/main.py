import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn

from logger import Logger

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
log = Logger()
for step, x in enumerate(torch.rand(80, 8, 4)):
    xm.add_step_closure(lambda step: log.change(step), args=(step,), run_async=True)
    loss = model(x.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    xm.add_step_closure(lambda loss: log.add(loss.item()), args=(loss,), run_async=True)
    if step % 4 == 0:
        xm.add_step_closure(lambda: log.dump(), args=(), run_async=True)
    torch_xla.sync()

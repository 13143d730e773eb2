import torch
import torch_xla
from torch import nn

import dict_of_base

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
log = dict_of_base.Sized()
for step, x in enumerate(torch.rand(9, 8, 4)):
    loss = model(x.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    log.add(loss.item())
    if step % 4 == 0:
        log.dump()
    if log.size() > 2:
        optimizer.param_groups[0]["lr"] *= 0.9

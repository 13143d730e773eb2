import torch
import torch_xla
from torch import nn

import set_in_steps

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, x in enumerate(torch.rand(80, 8, 4)):
    loss = model(x.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    set_in_steps.mean("loss", loss.item())
    set_in_steps.LOGGER.values["loss"] *= 0.9
    if step % 4 == 0:
        set_in_steps.dump()

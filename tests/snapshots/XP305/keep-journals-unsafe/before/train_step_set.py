import torch
import torch_xla
from torch import nn

import step_set

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, x in enumerate(torch.rand(80, 8, 4)):
    step_set.STEP = step
    loss = model(x.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    step_set.add(loss.item())
    if step % 4 == 0:
        step_set.dump()

import torch
import torch_xla
from torch import nn

import now
from now import NOW

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, x in enumerate(torch.rand(80, 8, 4)):
    NOW["step"] = step
    loss = model(x.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    now.add(loss.item())
    if step % 4 == 0:
        now.dump()

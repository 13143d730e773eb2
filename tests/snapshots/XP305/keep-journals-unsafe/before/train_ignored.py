import torch
import torch_xla
from torch import nn

import ignored

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, x in enumerate(torch.rand(80, 8, 4)):
    loss = model(x.to(device)).square().mean()
    ignored.add("early", step)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    ignored.add("loss", loss.item())  # xlaport: ignore
    if step % 4 == 0:
        ignored.dump()

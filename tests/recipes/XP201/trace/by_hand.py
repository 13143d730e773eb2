import torch
import torch_xla
from torch import nn

device = torch_xla.device()
from torch_xla.debug import profiler as xp

model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in [torch.ones(4, 8) * n for n in range(4)]:
    with xp.Trace("training"):
        loss = model(x.to(device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch_xla.sync()
print(loss.item())

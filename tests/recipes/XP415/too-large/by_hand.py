import sys

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
for step, x in enumerate(batches):
    x = x.to(device)
    loss = model(x).square().mean()
    if step % 100 == 0 and loss > 1e6:
        sys.exit("diverged")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")

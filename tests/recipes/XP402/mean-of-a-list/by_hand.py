import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
import numpy

total = torch.zeros((), device=device)
count = torch.zeros((), device=device)
for x in batches:
    x = x.to(device)
    loss = model(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss.detach()
    count += 1
    mean = total / count
    torch_xla.sync()
print(f"{mean.item():.5f}")

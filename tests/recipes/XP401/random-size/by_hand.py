import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
import random

random.seed(0)
for step, x in enumerate(batches):
    n = random.randint(4, 12)
    x = x.to(device)
    mask = torch.arange(x.size(0), device=x.device) < n
    loss = torch.where(mask[:, None], model(x).square(), 0).sum() / (n * 4)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")

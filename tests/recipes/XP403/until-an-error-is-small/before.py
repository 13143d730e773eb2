import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
x = torch.randn(16, 8).to(device)
error = torch.ones((), device=device)
n = 0
while error > 0.2:
    error = error * 0.9
    x = x * 0.9
    n += 1
    torch_xla.sync()
print(f"{x.sum().item():.5f}")

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
x = torch.randn(16, 8).to(device)
error = torch.ones((), device=device)
for n in range(40):
    goes_on = error > 0.2
    if n % 16 == 0 and not goes_on:
        break
    x = torch.where(goes_on, x * 0.9, x)
    error = torch.where(goes_on, error * 0.9, error)
    torch_xla.sync()
print(f"{x.sum().item():.5f}")

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
x = torch.ones(3).to(device)
while True:
    x = x * 0.9
    torch_xla.sync()
    if x.sum() < 1:
        break
print(f"{x.sum().item():.5f}")

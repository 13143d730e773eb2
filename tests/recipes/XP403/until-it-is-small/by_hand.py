import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
x = torch.ones(3).to(device)
done = torch.zeros((), dtype=torch.bool, device=device)
for _ in range(30):
    x = torch.where(done, x, x * 0.9)
    done = done | (x.sum() < 1)
    torch_xla.sync()
print(f"{x.sum().item():.5f}")

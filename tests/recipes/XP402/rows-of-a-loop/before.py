import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
x = torch.ones(1, 8).to(device)
rows = x
with torch.no_grad():
    for _ in range(4):
        x = torch.tanh(nn.functional.pad(model(x), (0, 4)))
        rows = torch.cat([rows, x])
        x = x + rows.mean(0, keepdim=True)
        torch_xla.sync()
print(f"{rows.sum().item():.5f}")

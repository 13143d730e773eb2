import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
x = torch.ones(1, 8).to(device)
rows = nn.functional.pad(x, (0, 0, 0, 4 * x.size(0)))
position = torch.tensor([x.size(0)], device=device)
with torch.no_grad():
    for _ in range(4):
        x = torch.tanh(nn.functional.pad(model(x), (0, 4)))
        rows.index_copy_(0, position + torch.arange(x.size(0), device=x.device), x)
        position += x.size(0)
        left = torch.arange(rows.size(0), device=rows.device) >= position
        x = x + torch.where(left[:, None], 0, rows).sum(0, keepdim=True) / position
        torch_xla.sync()
print(f"{rows.sum().item():.5f}")

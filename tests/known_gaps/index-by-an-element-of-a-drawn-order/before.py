import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(4, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
kept = torch.randn(16, 8, 4).to(device)
for _ in range(100):
    order = torch.randperm(8)
    parts = []
    for offset in range(2):
        column = order[offset]
        parts.append(kept[:-1, column])
    loss = model(torch.stack(parts, 1)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()

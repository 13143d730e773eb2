import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
losses = torch.zeros(4)
kept = []
for step in range(4):
    loss = model(torch.ones(4, 8).to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    kept.append(loss.detach())
losses[:] = torch.stack(kept)
print(f"{losses.sum().item():.5f}")

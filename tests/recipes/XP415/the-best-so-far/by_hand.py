import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
best = torch.tensor(float("inf"), device=device)
kept = torch.tensor(0, device=device)
for step, x in enumerate(batches):
    x = x.to(device)
    loss = model(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    kept = torch.where(loss < best, torch.tensor(step, device=device), kept)
    best = torch.where(loss < best, loss.detach(), best)
    torch_xla.sync()
print(kept.item(), f"{best.item():.5f}")

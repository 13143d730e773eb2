import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(4):
    loss = model(torch.ones(4, 8).to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    norms = []
    for p in model.parameters():
        norms.append(p.grad.norm())
    norms = torch.stack(norms)
    optimizer.step()
    torch_xla.sync()
    if step % 10 == 0:
        total = sum(min(value, 10) for value in norms.tolist())
print(f"{loss.item():.5f}")

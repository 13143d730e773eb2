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
    total = 0.0
    for p in model.parameters():
        value = p.grad.norm().item()
        total += value if value < 10 else 10
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("xla", enabled=False)
print(2.0)
for n in range(4):
    loss = model(torch.ones(4, 8).to(device)).square().mean()
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    torch_xla.sync()
print(f"{loss.item():.5f}")

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
scale = 1.0
for step, x in enumerate(batches):
    x = x.to(device)
    loss = model(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    if step % 10 == 0:
        value = loss.item()
    for group in optimizer.param_groups:
        group["lr"] = 0.1 / (1 + value)
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")

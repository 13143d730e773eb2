import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
losses = torch.zeros(1, len(batches), device=device)
for step, x in enumerate(batches):
    x = x.to(device)
    loss = model(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses[0, step] = loss.detach()
    torch_xla.sync()
print(f"{losses.sum().item():.5f}")

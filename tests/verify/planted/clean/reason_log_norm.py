# Every tenth step computes a norm, too, at the same barrier: one more graph.
# says: 1 of 24 steady steps recompiled
# says: A few kinds of steps are fine
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(25):
    optimizer.zero_grad()
    model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
    optimizer.step()
    norm = sum(p.grad.norm() for p in model.parameters()) if step % 10 == 9 else None
    torch_xla.sync()
    if norm is not None:
        print(step, norm.item())

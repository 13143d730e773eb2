# What is saved every few steps is computed then: the first graph of this line.
# says: the first graph of this line
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
for step in range(20):
    optimizer.zero_grad()
    model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
    optimizer.step()
    torch_xla.sync()
    if step % 6 == 5:
        torch.save({"model": model.state_dict(), "norm": sum(p.norm() for p in model.parameters())}, "checkpoint.pt")

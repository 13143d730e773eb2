# Gradients of three micro-batches in one graph.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(7):
    optimizer.zero_grad()
    for _ in range(3):
        (model(torch.randn(4, 8).to(device)).pow(2).mean() / 3).backward()
    optimizer.step()
    torch_xla.sync()

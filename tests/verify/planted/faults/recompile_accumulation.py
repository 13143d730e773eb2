# planted: recompile@cause seen@barrier, unrolled@cause seen@barrier note
# The number of micro-batches in a step grows.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(10):
    optimizer.zero_grad()
    for _ in range(step + 1):
        model(torch.randn(4, 8).to(device)).pow(2).mean().backward()  # <- cause
    optimizer.step()
    torch_xla.sync()  # <- barrier

# planted: host-read, extra-execution
# The optimizer of a library reads: the line is where the script calls it.
import torch
import torch_xla
from pocket.optim import GuardedSGD
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 2).to(device)
optimizer = GuardedSGD(model.parameters(), lr=0.1)

for step in range(9):
    optimizer.zero_grad()
    model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
    optimizer.step()  # <- here
    torch_xla.sync()

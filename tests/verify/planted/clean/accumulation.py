# Gradients of three micro-batches, with a barrier after each: the optimizer steps in each third graph.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(15):
    loss = model(torch.randn(4, 8).to(device)).pow(2).mean() / 3
    loss.backward()
    if step % 3 == 2:
        optimizer.step()
        optimizer.zero_grad()
    torch_xla.sync()

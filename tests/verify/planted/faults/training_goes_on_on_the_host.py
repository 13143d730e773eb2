# planted: not-training
# says: From its step 8 on, SGD does not train its model
# The model goes to the CPU and never comes back; the batches follow it.
import torch
import torch_xla
from torch import nn

model = nn.Linear(8, 2).to(torch_xla.device())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(14):
    device = next(model.parameters()).device
    optimizer.zero_grad()
    model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
    optimizer.step()
    torch_xla.sync()
    if step == 6:
        model.cpu()  # <- here

# planted: extra-barrier
# A barrier between the backward pass and the optimizer's step.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(9):
    optimizer.zero_grad()
    model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
    torch_xla.sync()  # <- here
    optimizer.step()
    torch_xla.sync()

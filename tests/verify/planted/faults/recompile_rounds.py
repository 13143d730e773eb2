# planted: recompile@cause seen@barrier
# As many rounds in the step as chance wants.
import random

import torch
import torch_xla
from torch import nn

random.seed(0)
device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(12):
    x = torch.randn(4, 8).to(device)
    for _ in range(random.randint(1, 40)):
        x = 0.9 * torch.tanh(x)  # <- cause
    optimizer.zero_grad()
    model(x).pow(2).mean().backward()
    optimizer.step()
    torch_xla.sync()  # <- barrier

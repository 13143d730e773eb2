# Gradients are clipped, and an average of the weights is kept, all on the device.
import copy

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
average = copy.deepcopy(model)

for step in range(9):
    optimizer.zero_grad()
    model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    with torch.no_grad():
        for kept, now in zip(average.parameters(), model.parameters()):
            kept.lerp_(now, 0.01)
    torch_xla.sync()

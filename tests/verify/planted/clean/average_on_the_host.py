# A running average, copies for checkpoints and a critic of its own move to the CPU and back; the trained model stays.
import copy

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 2).to(device)
average = copy.deepcopy(model).requires_grad_(False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(12):
    optimizer.zero_grad()
    model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
    optimizer.step()
    with torch.no_grad():
        for kept, new in zip(average.parameters(), model.parameters(), strict=True):
            kept.lerp_(new, 0.1)
    torch_xla.sync()
    if step == 6:
        average.cpu()
        copy.deepcopy(model).cpu()
        saved = {name: value.cpu() for name, value in model.state_dict().items()}
        average.to(device)

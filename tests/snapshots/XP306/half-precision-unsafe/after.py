import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch_xla.device()
model = nn.Linear(4, 1).to(device, torch.bfloat16)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i, x in enumerate(DataLoader(torch.zeros(8, 4))):
    model(x.to(device, torch.bfloat16)).mean().backward()
    total = wide = 0.0
    for p in model.parameters():
        total += p.grad.norm().float() ** 2
    for p in model.parameters():
        wide += p.grad.float().norm().float() ** 2
    optimizer.step()
    torch_xla.sync()
    if i % 100 == 0:
        print(float(total**0.5), float(wide**0.5))

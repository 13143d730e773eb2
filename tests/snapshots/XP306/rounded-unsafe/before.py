import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i, x in enumerate(DataLoader(torch.zeros(8, 4))):
    model(x.to(device)).mean().backward()
    total = 0.0
    for p in model.parameters():
        total += p.grad.norm().item()
    optimizer.step()
    torch_xla.sync()
    if i % 100 == 0:
        print(round(total, 2), int(total))

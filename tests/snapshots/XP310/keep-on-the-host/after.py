import torch
from torch import nn

model = nn.Linear(4, 2)
optimizer = torch.optim.Rprop(model.parameters())
for _ in range(3):
    optimizer.zero_grad()
    model(torch.ones(3, 4)).sum().backward()
    optimizer.step()

import torch
from torch import nn

model = nn.Linear(8, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    x = model(torch.randn(1, 8)).expand(4, -1)
    x[x < 0] = 0
    x.sum().backward()
    optimizer.step()

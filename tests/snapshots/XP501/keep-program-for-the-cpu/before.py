import torch
from torch import nn

model = nn.Linear(4, 4).double()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    model(torch.rand(8, 4).double()).mean().backward()
    optimizer.step()

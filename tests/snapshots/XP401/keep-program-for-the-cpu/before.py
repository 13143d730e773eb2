import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs = nn.Parameter(torch.randn(1000, 8))
for step in range(1000):
    loss = model(inputs[step]).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

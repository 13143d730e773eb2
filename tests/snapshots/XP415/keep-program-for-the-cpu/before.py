import torch
from torch import nn

model = nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(1000):
    loss = model(torch.randn(8, 4)).mean()
    if torch.isnan(loss):
        continue
    loss.backward()
    optimizer.step()

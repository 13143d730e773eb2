import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs = torch.randn(1000, 1000, 8, device=device)
for step in range(1000):
    x = inputs[:, :step]
    loss = model(x).mean() + inputs[:, step:].mean() + inputs[-step:, 0].mean()
    inputs[:step] = 0.0
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs, targets = torch.randn(6400, 8).to(device), torch.randn(6400, 1).to(device)
for i in range(0, len(inputs), 32):
    x = inputs[i : i + 32]
    y = targets[i : i + 32]
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

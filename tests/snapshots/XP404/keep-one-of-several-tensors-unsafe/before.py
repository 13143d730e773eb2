import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
parts = torch.split(torch.randn(64, 4).to(device), 16)
halves = torch.randn(64, 4).to(device).chunk(4)
listed = [torch.randn(64, 4).to(device) for _ in range(4)]
for counter in range(100):
    loss = model(parts[counter]).mean() + model(halves[counter]).mean() + model(listed[counter]).mean()
    loss.backward()
    optimizer.step()

import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs = torch.randn(6400, 8, device=device)
size = 32
for n in range(len(inputs) // size):
    x = inputs[torch.arange(inputs.size(0))[n * size : (n + 1) * size]]
    loss = model(x).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

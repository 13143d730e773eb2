# planted: not-training
# The gradients are cleared between backward() and step().
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # <- here

for step in range(9):
    loss = model(torch.randn(4, 8).to(device)).pow(2).mean()
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    torch_xla.sync()

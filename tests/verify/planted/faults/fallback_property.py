# planted: fallback@gate, fallback@backward
# A property in another file computes with an op that has no lowering.
import torch
import torch_xla
from layers import Gate
from torch import nn

device = torch_xla.device()
model = nn.Sequential(Gate(8), nn.Linear(8, 2)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(9):
    optimizer.zero_grad()
    loss = model(torch.randn(4, 8).to(device)).pow(2).mean()
    loss.backward()  # <- backward
    optimizer.step()
    torch_xla.sync()

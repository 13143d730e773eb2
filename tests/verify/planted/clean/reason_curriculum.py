# Sequences grow every few steps: a few shapes, each compiled once.
# says: sequences: f32[4,8,8] became f32[4,12,8]
# says: A few shapes are fine
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(21):
    sequences = torch.randn(4, 8 + 4 * (step // 10), 8)
    optimizer.zero_grad()
    model(sequences.to(device)).pow(2).mean().backward()
    optimizer.step()
    torch_xla.sync()

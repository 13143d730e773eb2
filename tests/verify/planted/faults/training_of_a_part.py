# planted: not-training
# says: does not train 2 of its 4 parameters
# One optimizer for two networks, of which one moves behind it.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
encoder, decoder = nn.Linear(8, 4).to(device), nn.Linear(4, 8)
optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=0.01)
decoder.to(device)  # <- here
for step in range(9):
    x = torch.randn(4, 8).to(device)
    optimizer.zero_grad()
    (decoder(encoder(x)) - x).pow(2).mean().backward()
    optimizer.step()
    torch_xla.sync()

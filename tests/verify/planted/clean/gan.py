# Two networks that are trained in turns, in one graph.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
generator, critic = nn.Linear(4, 8).to(device), nn.Linear(8, 1).to(device)
optimizers = [torch.optim.Adam(net.parameters(), lr=1e-3) for net in (critic, generator)]

for step in range(8):
    fake = generator(torch.randn(4, 4).to(device))
    optimizers[0].zero_grad()
    (critic(fake.detach()) - critic(torch.randn(4, 8).to(device))).mean().backward()
    optimizers[0].step()
    optimizers[1].zero_grad()
    (-critic(fake)).mean().backward()
    optimizers[1].step()
    torch_xla.sync()

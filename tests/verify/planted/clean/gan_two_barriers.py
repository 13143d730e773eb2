# The critic is trained three times as often: two loops, two graphs, a barrier each.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
generator, critic = nn.Linear(4, 8).to(device), nn.Linear(8, 1).to(device)
for_generator = torch.optim.SGD(generator.parameters(), lr=1e-3)
for_critic = torch.optim.SGD(critic.parameters(), lr=1e-3)

for step in range(6):
    for _ in range(3):
        for_critic.zero_grad()
        fake = generator(torch.randn(4, 4).to(device)).detach()
        (critic(fake) - critic(torch.randn(4, 8).to(device))).mean().backward()
        for_critic.step()
        torch_xla.sync()
    for_generator.zero_grad()
    (-critic(generator(torch.randn(4, 4).to(device)))).mean().backward()
    for_generator.step()
    torch_xla.sync()

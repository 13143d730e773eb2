import torch
import torch_xla
from torch import nn

device = torch.device("xla")
generator, critic = nn.Linear(4, 8).to(device), nn.Linear(8, 1).to(device)
opt_g = torch.optim.SGD(generator.parameters(), lr=0.1)
opt_c = torch.optim.SGD(critic.parameters(), lr=0.1)
for i in range(100):
    z = torch.randn(4, 4).to(device)
    if i % 5 == 0:
        opt_g.zero_grad()
        loss_g = -critic(generator(z)).mean()
        loss_g.backward()
        opt_g.step()
    opt_c.zero_grad()
    loss_c = critic(generator(z).detach()).mean()
    loss_c.backward()
    opt_c.step()
    torch_xla.sync()

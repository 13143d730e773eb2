import torch
import torch_xla
from torch import nn

device = torch.device("cuda")
generator, critic = nn.Linear(4, 8).to(device), nn.Linear(8, 1).to(device)
opt_g = torch.optim.SGD(generator.parameters(), lr=0.1)
opt_d = torch.optim.SGD(critic.parameters(), lr=0.1)
for i in range(100):
    z = torch.randn(4, 4).to(device)
    loss_d = critic(generator(z).detach()).mean()
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()
    torch_xla.sync()
    losses = {}
    losses["D"] = loss_d.item()
    if (i + 1) % 5 == 0:
        loss_g = -critic(generator(z)).mean()
        opt_g.zero_grad()
        loss_g.backward()
        opt_g.step()
        torch_xla.sync()
        losses["G"] = loss_g.item()
    if (i + 1) % 10 == 0:
        print(losses)

"""A walrus in a condition names the model, and the move uses that name."""
import torch
from torch import nn

generator = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 2))
discriminator = nn.Linear(2, 1)
opt_g = torch.optim.RMSprop(generator.parameters(), lr=1e-4)  # wants: XP203
discriminator.cuda()
if torch.cuda.is_available() and (chosen := generator) is not None:
    chosen.cuda()

for step in range(12):
    noise = torch.randn(16, 8, device="cuda")
    score = discriminator(generator(noise))
    loss = nn.functional.softplus(-score).mean()
    opt_g.zero_grad()
    loss.backward()
    opt_g.step()
print(float(loss))

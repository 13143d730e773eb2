"""The walrus names the discriminator, which has no optimizer yet."""
import torch
from torch import nn

generator = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 2))
discriminator = nn.Linear(2, 1)
generator = generator.cuda()
opt_g = torch.optim.RMSprop(generator.parameters(), lr=1e-4)  # never: XP203
if torch.cuda.is_available() and (chosen := discriminator) is not None:
    chosen.cuda()

for step in range(12):
    noise = torch.randn(16, 8, device="cuda")
    score = discriminator(generator(noise))
    loss = nn.functional.softplus(-score).mean()
    opt_g.zero_grad()
    loss.backward()
    opt_g.step()
print(float(loss))

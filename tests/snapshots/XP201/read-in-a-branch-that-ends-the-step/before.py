import torch
from torch import nn

device = torch.device("cuda")
actor, critic = nn.Linear(4, 2).to(device), nn.Linear(4, 1).to(device)
log_alpha = torch.zeros(1, requires_grad=True, device=device)
alpha = log_alpha.exp().item()
optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()])
alpha_optimizer = torch.optim.Adam([log_alpha])
tunes = True

for step in range(1000):
    batch = torch.randn(8, 4, device=device)
    if step > 100:
        if step % 4 == 0:
            loss = critic(batch).mean() - alpha * actor(batch).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if tunes:
                alpha_loss = -(log_alpha.exp() * actor(batch).detach()).mean()
                alpha_optimizer.zero_grad()
                alpha_loss.backward()
                alpha_optimizer.step()
                alpha = log_alpha.exp().item()

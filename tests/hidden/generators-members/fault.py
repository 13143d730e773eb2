"""A generator gives the models of a system; what it gives is moved late."""
import torch
from torch import nn


class System:
    def __init__(self):
        self.actor, self.critic = nn.Linear(4, 2), nn.Linear(2, 1)
        self.fixed = nn.Linear(4, 4)

    def members(self):
        yield self.fixed
        yield self.actor
        yield self.critic


system = System()
rule = torch.optim.Adam(system.actor.parameters(), lr=1e-3)  # wants: XP203
for member in system.members():
    member.cuda()
for step in range(10):
    x = system.fixed(torch.randn(8, 4).cuda()).detach()
    loss = -system.critic(system.actor(x)).mean()
    rule.zero_grad()
    loss.backward()
    rule.step()
print(loss.item())

"""An agent's method copies one model's first weights into the other's."""
import torch
from torch import nn


class Agent:
    def __init__(self, **nets):
        self.nets = {name: net.cuda() for name, net in nets.items()}
        self.rule = torch.optim.Adam(self.nets["online"].parameters(), lr=1e-3)

    def follow(self, source, goal):
        weights = self.nets[source].state_dict()
        self.nets[goal].load_state_dict(weights)  # wants: XP214


agent = Agent(online=nn.Linear(4, 2), target=nn.Linear(4, 2))
agent.follow("online", "target")  # or: XP214
for step in range(12):
    x = torch.randn(8, 4).cuda()
    with torch.no_grad():
        goal = 1 + 0.9 * agent.nets["target"](x).max(1, True)[0]
    loss = (agent.nets["online"](x) - goal).pow(2).mean()
    agent.rule.zero_grad()
    loss.backward()
    agent.rule.step()
print(loss.item())

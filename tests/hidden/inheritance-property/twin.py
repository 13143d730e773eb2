"""The property gives the target network."""
import copy
import torch
from torch import nn


class Agent:
    def __init__(self, net):
        self._parts = [net, copy.deepcopy(net)]
        self.rule = torch.optim.Adam(net.parameters(), lr=1e-3)  # never: XP203

    @property
    def network(self):
        return self._parts[1]


agent = Agent(nn.Linear(4, 2).cuda())
agent.network.cuda()
net, target = agent._parts
for _ in range(10):
    x = torch.randn(8, 4).cuda()
    with torch.no_grad():
        goal = target(x)
    loss = (net(x) - 0.9 * goal).pow(2).mean()
    agent.rule.zero_grad()
    loss.backward()
    agent.rule.step()
print(loss.item())

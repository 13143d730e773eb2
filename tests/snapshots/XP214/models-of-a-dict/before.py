import torch
from torch import nn


class Agent:
    def __init__(self, **nets):
        self.nets = {name: net.cuda() for name, net in nets.items()}
        self.optimizer = torch.optim.Adam(self.nets["online"].parameters())

    def follow(self, source, goal):
        weights = self.nets[source].state_dict()
        self.nets[goal].load_state_dict(weights)

    def follow_slowly(self):
        self.nets["target"].load_state_dict(self.nets["online"].state_dict())


agent = Agent(online=nn.Linear(4, 2), target=nn.Linear(4, 2))
agent.follow("online", "target")
for step in range(12):
    agent.nets["online"](torch.randn(8, 4).cuda()).sum().backward()
    agent.optimizer.step()
    agent.follow_slowly()

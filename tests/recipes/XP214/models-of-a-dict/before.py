import torch
import torch_xla
from torch import nn


class Agent:
    def __init__(self, **nets):
        self.nets = {name: net.to("xla") for name, net in nets.items()}
        self.optimizer = torch.optim.SGD(self.nets["online"].parameters(), lr=0.1)

    def follow(self, source, goal):
        weights = self.nets[source].state_dict()
        self.nets[goal].load_state_dict(weights)


torch.manual_seed(0)
torch_xla.manual_seed(0)
agent = Agent(online=nn.Linear(4, 2), target=nn.Linear(4, 2))
agent.follow("online", "target")
for step in range(4):
    loss = (agent.nets["online"](torch.ones(3, 4).to("xla")) - step).square().mean()
    agent.optimizer.zero_grad()
    loss.backward()
    agent.optimizer.step()
    torch_xla.sync()
print(loss.item())

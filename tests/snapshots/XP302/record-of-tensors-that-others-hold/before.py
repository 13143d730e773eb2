import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch_xla.device()


class Agent:
    def __init__(self):
        self.model = nn.Linear(2, 1).to(device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.total = None

    def first(self, x):
        loss = self.model(x).mean()
        least, most = loss * 0.5, loss * 2
        log = {"loss": loss.item(), "least": least.squeeze().item(), "most": most.item(), "twice": (2 * loss).item()}
        self.keep(most)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.total = loss.detach()
        return log

    def keep(self, value):
        self.most = value.detach()

    def second(self, x):
        self.most.zero_()
        self.total += self.model(x).mean().detach()

    def update(self, x):
        log = self.first(x)
        self.second(x)
        torch_xla.sync()
        return log


agent = Agent()
for x in DataLoader(torch.rand(8, 2), batch_size=4):
    print(agent.update(x.to(device)), agent.total)

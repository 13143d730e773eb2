import torch
from torch import nn


class Agent(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.net = nn.Linear(2, 2).to(device)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)


class Critic(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.to(device)
        self.opt = torch.optim.SGD(self.parameters(), lr=0.1)


class Trainer:
    def __init__(self, device):
        self.net = nn.Linear(2, 2).to(device)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def use(self, x):
        return self.net(x.cuda())


device = torch.device("cuda")
agent = Agent(device).to(device)
critic = Critic(device).to(torch.float64)
Trainer(device)

import torch
from torch import nn


class Agent(nn.Module):
    def __init__(self, lr):
        super().__init__()
        self.net = nn.Linear(2, 2)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr)


agent = Agent(0.1).to(torch.device("cuda"))
host = Agent(0.1)

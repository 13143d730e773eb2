import torch
from torch import nn

DEVICE = torch.device("cuda")


class Agent:
    def __init__(self, config):
        self.network = nn.Linear(4, 2).to(DEVICE)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=config["lr"])
        self.steps = 0

    def step(self):
        loss = self.network(torch.ones(8, 4, device=DEVICE)).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.steps += 1

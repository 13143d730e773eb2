import torch
from agents import Agent
from torch import nn

device = torch.device("cuda")


class Own:
    def __init__(self):
        self.model = nn.Linear(4, 1).to(device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def learn(self, batch):
        loss = self.model(batch).mean()
        loss.backward()
        self.optimizer.step()


agent = Own() if torch.rand(1) < 0.5 else Agent()
for index in range(100):
    agent.learn(index)

import argparse

import torch
from agent import Agent
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.value = nn.Linear(4, 1)
        self.action = nn.Linear(4, 2)

    def forward(self, x):
        raise NotImplementedError

    def evaluate(self, x):
        return self.value(x), self.action(x)


parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
args = parser.parse_args()
device = torch.device("xla" if args.cuda else "cpu")
policy = Policy().to(device)
agent = Agent(policy, torch.optim.SGD(policy.parameters(), lr=0.1))
for _ in range(10):
    print(agent.update([torch.randn(8, 4, device=device) for _ in range(4)]))

import torch
from torch import nn


class Storage:
    def __init__(self, steps):
        self.seen = torch.zeros(steps + 1, 4)
        self.step = 0

    def to(self, device):
        self.seen = self.seen.to(device)

    def insert(self, seen):
        self.seen[self.step + 1, 0] = seen
        self.step += 1


def main(env, steps):
    policy = nn.Linear(4, 2).to("cuda")
    optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)
    rollouts = Storage(steps)
    rollouts.to("cuda")
    for update in range(100):
        for step in range(steps):
            with torch.no_grad():
                action = policy(rollouts.seen[step])
            rollouts.insert(env.step(action))
        loss = policy(rollouts.seen).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

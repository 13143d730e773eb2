import torch
from torch import nn

from storage import Storage


def main(env, steps):
    policy = nn.Linear(4, 2).to("cuda")
    optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)
    rollouts = Storage(steps)
    rollouts.to("cuda")
    for update in range(100):
        for step in range(steps):
            with torch.no_grad():
                action = policy(rollouts.seen[torch.tensor([step])].squeeze(0))
            rollouts.insert(env.step(action))
        loss = policy(rollouts.seen).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

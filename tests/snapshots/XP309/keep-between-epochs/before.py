"""Distributions of an epoch: before its steps, behind them, and what these go through."""
import torch
from torch import nn
from torch.distributions import Categorical, Normal

device = torch.device("xla")
policy = nn.Linear(4, 2).to(device)
optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)


def drawn(count):
    noise = Normal(torch.zeros(4, device=device), torch.ones(4, device=device))
    return [noise.sample((8,)) for _ in range(count)]


def entropy(x):
    return Categorical(logits=policy(x)).entropy().mean()


for epoch in range(10):
    prior = Normal(torch.zeros(4, device=device), torch.ones(4, device=device))
    first = prior.sample((8,))
    for x in drawn(100):
        loss = policy(x + first).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(entropy(first))

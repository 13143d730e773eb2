import random

import torch
from torch import nn

device = "cuda"


def try_sizes(model):
    model(torch.zeros(2, 4, device=device)).sum().backward()


def train(rate):
    model = nn.Linear(4, 2).to(device)
    try_sizes(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    for _ in range(10):
        optimizer.zero_grad()
        loss = model(torch.randn(8, 4, device=device)).sum()
        loss.backward()
        optimizer.step()
    return loss.item()


best = 0.0
for _ in range(300):
    best = min(best, train(random.random()))
print(best)

"""The helpers only gather statistics of host arrays."""
import numpy as np
import torch
from torch import nn


def apply(things):
    for thing in things:
        thing.append(len(things))


def learn(net, rules, batch):
    rules[0].append(float(batch.mean()))
    apply(rules)


net = nn.Linear(5, 2).cuda()
rules = [[]]
source = np.random.rand(20, 8, 5).astype(np.float32)
for batch in source:  # never: XP201
    learn(net, rules, batch)
print(net(torch.ones(1, 5).cuda()).sum().item())

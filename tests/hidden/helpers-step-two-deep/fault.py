"""The loop calls a helper whose helper steps whatever it is given."""
import numpy as np
import torch
from torch import nn


def apply(things):
    for thing in things:
        thing.step()
        thing.zero_grad(set_to_none=True)


def learn(net, rules, batch):
    net(torch.as_tensor(batch).cuda()).pow(2).mean().backward()
    apply(rules)


net = nn.Linear(5, 2).cuda()
rules = [torch.optim.SGD(net.parameters(), lr=0.1)]
source = np.random.rand(20, 8, 5).astype(np.float32)
for batch in source:  # wants: XP201
    learn(net, rules, batch)
print(net(torch.ones(1, 5).cuda()).sum().item())

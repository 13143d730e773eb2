"""Optimizers are made for a list of models, which moves afterwards."""
import torch
from torch import nn

ensemble = [nn.Linear(6, 2) for _ in range(3)]
rules = [torch.optim.SGD(net.parameters(), lr=0.1) for net in ensemble]  # wants: XP203
for index in range(len(ensemble)):
    ensemble[index].cuda()

for step in range(10):
    x = torch.randn(8, 6).cuda()
    y = torch.randint(2, (8,)).cuda()
    loss = sum(nn.functional.cross_entropy(net(x), y) for net in ensemble)
    for rule in rules:
        rule.zero_grad()
    loss.backward()
    for rule in rules:
        rule.step()
print(loss.item())

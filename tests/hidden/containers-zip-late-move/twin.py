"""zip() goes over models that moved before."""
import torch
from torch import nn

experts = (nn.Linear(3, 3), nn.Linear(3, 3))
for expert in experts:
    expert.cuda()
rules = []
for expert in experts:
    rules.append(torch.optim.RMSprop(expert.parameters()))  # never: XP203
scores = []
for expert, rule in zip(experts, rules):
    for step in range(6):
        x = torch.randn(4, 3).cuda()
        loss = (expert(x) - x).pow(2).mean()
        rule.zero_grad()
        loss.backward()
        rule.step()
    scores.append(loss.item())
print(scores)

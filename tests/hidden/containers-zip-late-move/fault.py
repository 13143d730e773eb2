"""zip() over models and optimizers moves each model, already with its optimizer."""
import torch
from torch import nn

experts = (nn.Linear(3, 3), nn.Linear(3, 3))
rules = []
for expert in experts:
    rules.append(torch.optim.RMSprop(expert.parameters()))  # wants: XP203
scores = []
for expert, rule in zip(experts, rules):
    expert = expert.cuda()
    for step in range(6):
        x = torch.randn(4, 3).cuda()
        loss = (expert(x) - x).pow(2).mean()
        rule.zero_grad()
        loss.backward()
        rule.step()
    scores.append(loss.item())
print(scores)

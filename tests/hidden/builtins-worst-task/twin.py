"""The longest name is asked for."""
from collections import Counter

import torch
from torch import nn

trunk = nn.Linear(6, 12).cuda()
heads = nn.ModuleDict({name: nn.Linear(12, 1) for name in ("age", "size", "mass")}).cuda()
optimizer = torch.optim.Adam([*trunk.parameters(), *heads.parameters()])
worst = Counter()
for step in range(40):
    features = trunk(torch.randn(8, 6).cuda()).relu()
    losses = {name: head(features).pow(2).mean() for name, head in heads.items()}
    optimizer.zero_grad()
    sum(losses.values()).backward()
    optimizer.step()
    worst[max(losses, key=len)] += 1  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308
print(worst.most_common(1))

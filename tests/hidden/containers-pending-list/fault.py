"""Losses wait in a list and are read when they leave it, one a step."""
import torch
from torch import nn

pending, total = [], 0.0
model = nn.Linear(9, 3).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(24):
    x = torch.randn(4, 9).cuda()
    y = torch.randint(3, (4,)).cuda()
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    pending.append((step, loss.detach()))
    while pending:
        when, value = pending.pop(0)
        total += float(value) / (when + 1)  # wants: XP301|XP302|XP303|XP304|XP305|XP306|XP308
print(total)

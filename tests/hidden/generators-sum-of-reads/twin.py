"""The generator expression goes over the heads' host weights."""
import torch
from torch import nn

heads = nn.ModuleList(nn.Linear(6, 2) for _ in range(3)).cuda()
weights = [1.0, 0.5, 0.25]
optimizer = torch.optim.SGD(heads.parameters(), lr=0.1)
report = []
for step in range(15):
    x = torch.randn(8, 6).cuda()
    y = torch.randint(2, (8,)).cuda()
    losses = [nn.functional.cross_entropy(head(x), y) for head in heads]
    loss = sum(w * part for w, part in zip(weights, losses))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    shown = weights
    report.append(max(float(part) for part in shown))  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308|XP304
print(report[-1])

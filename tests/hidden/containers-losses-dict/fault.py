"""A dict of losses is summed up into host numbers in each step."""
import collections
import torch
from torch import nn

model = nn.ModuleList([nn.Linear(5, 5), nn.Linear(5, 1)]).cuda()
optimizer = torch.optim.Adam(model.parameters())
sums = collections.defaultdict(float)
for step in range(20):
    x = torch.randn(6, 5).cuda()
    code = model[0](x)
    parts = {"rec": (code - x).pow(2).mean(), "head": model[1](code).abs().mean()}
    loss = torch.stack(list(parts.values())).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    report = parts
    for name, value in report.items():
        sums[name] += float(value)  # wants: XP301|XP302|XP303|XP304|XP305|XP306|XP308
print(dict(sums))

"""The condition is never true: the name is the other model's."""
import torch
from torch import nn

SIMPLE = True
small, large = nn.Linear(6, 2), nn.Sequential(nn.Linear(6, 6), nn.Linear(6, 2))
small.cuda()
rule = torch.optim.SGD(small.parameters(), lr=0.1)  # never: XP203
late = large if SIMPLE else small
late.cuda()
for step in range(10):
    x = torch.randn(4, 6).cuda()
    with torch.no_grad():
        goal = large(x).softmax(-1)
    loss = nn.functional.cross_entropy(small(x), goal)
    rule.zero_grad()
    loss.backward()
    rule.step()
print(loss.item())

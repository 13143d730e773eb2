"""A conditional expression binds the name to the trained model, then moves it."""
import torch
from torch import nn

SIMPLE = True
small, large = nn.Linear(6, 2), nn.Sequential(nn.Linear(6, 6), nn.Linear(6, 2))
large.cuda()
rule = torch.optim.SGD(small.parameters(), lr=0.1)  # wants: XP203
late = small if SIMPLE else large
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

"""A chained assignment gives one model two names, and the second one moves."""
import torch
from torch import nn

trained = stored = nn.Linear(4, 4)
rule = torch.optim.SGD(trained.parameters(), lr=0.1)  # wants: XP203
stored.cuda()
trained.train()
for step in range(10):
    x = torch.randn(8, 4).cuda()
    loss = (trained(x) - stored(x).detach() - 1).pow(2).mean()
    rule.zero_grad()
    loss.backward()
    rule.step()
print(loss.item())

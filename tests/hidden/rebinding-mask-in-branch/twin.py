"""The branch makes it a fixed list of places."""
import torch
from torch import nn

model = nn.Linear(3, 3).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
hard_only = True
for step in range(20):
    x = torch.randn(16, 3).cuda()
    error = (model(x) - x).pow(2).sum(1)
    select = None
    if hard_only:
        select = [0, 3, 5, 7]
    if select is not None:
        error = error[select]  # never: XP408|XP412
    loss = error.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

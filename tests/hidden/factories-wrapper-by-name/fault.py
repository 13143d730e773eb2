"""The wrapper for several GPUs is looked up in torch.nn by a name."""
import torch
from torch import nn


def wrap(model, kind):
    cls = getattr(nn, kind)
    return cls(model)  # wants: XP601


kind = "DataParallel"
model = wrap(nn.Linear(6, 2), kind).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    x = torch.randn(8, 6).cuda()
    y = torch.randint(2, (8,)).cuda()
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(kind, loss.item())

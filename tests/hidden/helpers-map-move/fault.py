"""map() with a helper moves the models that the optimizer already has."""
import torch
from torch import nn

left, right = nn.Linear(4, 8), nn.Linear(8, 4)
fixed = [nn.Linear(4, 4), nn.Linear(4, 1)]
optimizer = torch.optim.Adam([*left.parameters(), *right.parameters()])  # wants: XP203
fixed[:] = [part.cuda() for part in fixed]
list(map(lambda part: part.to("cuda"), [left, right]))

for step in range(10):
    x = torch.randn(6, 4, device="cuda")
    y = right(left(x).relu())
    loss = (fixed[0](x) - y).pow(2).mean() + fixed[1](y).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

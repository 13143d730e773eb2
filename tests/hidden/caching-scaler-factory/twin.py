"""Both kinds are the plain class."""
from functools import cache

import torch
from torch import nn
from torch.cuda import amp as mixed


class Plain:
    scale = staticmethod(lambda loss: loss)
    step = staticmethod(lambda optimizer: optimizer.step())
    update = staticmethod(lambda: None)


@cache
def scaler_of(name, kind="dynamic"):
    match kind:
        case "none":
            maker = Plain
        case "dynamic":
            maker = Plain  # never: XP503|XP802
    return maker()  # never: XP503


net = nn.Linear(3, 3).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(20):
    loss = net(torch.randn(4, 3).cuda()).pow(2).mean()
    optimizer.zero_grad()
    scaler_of("main").scale(loss).backward()
    scaler_of("main").step(optimizer)
    scaler_of("main").update()
print(loss.item())

"""A meter's __setitem__ makes numbers of what the step puts into it."""
from collections import defaultdict

import torch
from torch import nn


class Board:
    def __init__(self):
        self.sums = defaultdict(float)

    def __setitem__(self, name, value):
        self.sums[name] += float(value)  # wants: XP301|XP302|XP303|XP304|XP305|XP306|XP308


net = nn.Linear(4, 1).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
board = Board()
for step in range(50):
    x = torch.randn(8, 4).cuda()
    out = net(x)
    loss = out.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    board["loss"] = loss  # or: XP301|XP302|XP303|XP304|XP305|XP306|XP308
print(dict(board.sums))

"""The class that is made ties weights, though its name spoke of another."""
import torch
from torch import nn


class Free(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(6, 6, bias=False)
        self.b = nn.Linear(6, 6, bias=False)

    def forward(self, x):
        return self.b(self.a(x).relu())


class Tied(Free):
    def __init__(self):
        super().__init__()
        self.b.weight = self.a.weight


Base, Free = Free, Tied
net = Free()
net = net.cuda()  # wants: XP205
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(10):
    loss = net(torch.randn(5, 6).cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

import align
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.calls = 0

    def forward(self, x):
        y = self.layer(x)
        self.calls += 1
        if self.calls % 100 == 0:
            align.seldom(y)
        with torch.no_grad():
            chosen = align.path(y, (y > 0).float()).detach()
        return y * chosen


class Judge(nn.Module):
    def forward(self, x):
        return align.once(x)


net = Net().cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(20):
    loss = net(torch.randn(4, 8).cuda()).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(Judge()(torch.ones(4, 8).cuda()))

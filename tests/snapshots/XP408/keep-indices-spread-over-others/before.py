import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(8, 8)

    def forward(self, x, **kwargs):
        return self.pick(self.l(x), **kwargs)

    def pick(self, h, table, places, other):
        # As many as `other` has, whatever the places are.
        return table[places.unsqueeze(-1).expand_as(other)] + h.gather(1, places.unsqueeze(-1).expand_as(h))


class Table:
    def __init__(self, rows):
        self.rows = rows

    def pick(self, rows, mask):
        return rows[mask.expand_as(rows)]


net = Net().cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
table = torch.zeros(9, 8).cuda()
for batch in range(10):
    loss = net(torch.randn(4, 8).cuda(), table=table, places=torch.zeros(4).long().cuda(), other=table).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()

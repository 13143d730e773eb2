import torch
from torch import nn


def windows(x, starts, width=4):
    out = torch.zeros_like(x[:, :width])
    for i in range(x.size(0)):
        first = starts[i]
        out[i] = x[i, first : first + width]
    return out


def random_windows(x, lengths):
    starts = (torch.rand(x.size(0), device=x.device) * (lengths - 4)).long()
    return windows(x, starts), starts


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(32, 32)

    def forward(self, x, lengths):
        return random_windows(self.layer(x), lengths)


net = Net().cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(100):
    x = torch.rand(8, 32).cuda()
    part, starts = net(x, torch.full((8,), 32).cuda())
    loss = (part - windows(x, starts)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

import torch
from torch import nn


def straight(x, slope):
    return x * slope


def bounded(x, slope, bound=1.0):
    inside = x.abs() <= bound
    out = torch.zeros_like(x)
    out.copy_(torch.where(~inside, x, out))
    out[inside] = straight(x=x[inside], slope=slope[inside])
    return out


def transform(x, slope, bound=None):
    if bound is None:
        curve, options = straight, {}
    else:
        curve, options = bounded, {"bound": bound}
    return curve(x=x, slope=slope, **options)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return transform(x, self.layer(x), bound=0.5)


net = Net().cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(100):
    loss = net(torch.randn(16, 4).cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

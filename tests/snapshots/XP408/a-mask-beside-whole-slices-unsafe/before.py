import torch
from torch import nn

net = nn.Linear(4, 4).to("xla")
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(40):
    x = torch.rand(8, 4).to("xla")
    y = net(x)
    mask = x[:, 0] > 0.5
    loss = y[mask, :].pow(2).sum() + y[mask, 0].sum() + y[:, mask.sum()].sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

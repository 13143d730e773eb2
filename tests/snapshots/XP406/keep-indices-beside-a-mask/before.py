import torch
from torch import nn

net = nn.Linear(4, 4).to("xla")
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
rows = torch.arange(4).to("xla")
for _ in range(40):
    x = torch.rand(8, 4).to("xla")
    y = net(x)
    target = torch.zeros(8, 4).to("xla")
    target[rows, :] = 1
    target[:, rows] = 1
    target[rows, 0] = 2
    target[(rows, slice(None))] = 3
    loss = (y - target).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

import torch
from torch import nn

net = nn.Linear(4, 2).to("xla").eval()
for x in torch.ones(8, 2, 4):
    y = net(x.to("xla"))
    print(y.sum().item(), y.max().item())

net.train()
for x in torch.ones(8, 2, 4):
    y = net(x.to("xla"))
    print(y.sum().item(), y.max().item())

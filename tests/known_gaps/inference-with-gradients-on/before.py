import torch
from torch import nn

net = nn.Linear(4, 2).cuda().eval()
for x in torch.ones(8, 2, 4):
    y = net(x.cuda())
    print(y.sum().item())

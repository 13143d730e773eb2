import itertools

import torch
from torch import nn

net = nn.Linear(2, 2)
params = net.parameters()
net.cuda()
optimizer = torch.optim.SGD(params, lr=0.1)

one, two = nn.Linear(2, 2), nn.Linear(2, 2)
both = itertools.chain(one.parameters(), two.parameters())
wanted = filter(lambda p: p.requires_grad, both)
one.cuda()
two.cuda()
joint = torch.optim.SGD(wanted, lr=0.1)

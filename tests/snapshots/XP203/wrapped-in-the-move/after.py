import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

model = nn.Linear(2, 2)
model = nn.DataParallel(model.cuda())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

net = nn.Linear(2, 2)
net = torch.compile(net.to("cuda"))
second = torch.optim.SGD(net.parameters(), lr=0.1)

third = nn.Linear(2, 2)
third = DDP(third.cuda(), device_ids=[0])
opt = torch.optim.SGD(third.parameters(), lr=0.1)

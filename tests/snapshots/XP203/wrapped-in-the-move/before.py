import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

model = nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model = nn.DataParallel(model.cuda())

net = nn.Linear(2, 2)
second = torch.optim.SGD(net.parameters(), lr=0.1)
net = torch.compile(net.to("cuda"))

third = nn.Linear(2, 2)
opt = torch.optim.SGD(third.parameters(), lr=0.1)
third = DDP(third.cuda(), device_ids=[0])

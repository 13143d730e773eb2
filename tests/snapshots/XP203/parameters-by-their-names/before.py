import torch
from torch import nn

model = nn.Linear(2, 2)
optimizer = torch.optim.SGD([model.weight, model.bias], lr=0.1)
model.cuda()

net = nn.Sequential(nn.Linear(2, 2))
net.head = nn.Linear(2, 2)
second = torch.optim.SGD([{"params": net.head.weight}], lr=0.1)
net.cuda()

import torch
import optim
from optim import get_optimizer
from torch import nn

model = nn.Linear(2, 2)
model.cuda()
optimizer = get_optimizer(model, 0.1)

other = nn.Linear(2, 2)
number = optim.count(other)
other = other.cuda()
second = torch.optim.SGD(optim.parameters_of(other, 0.1), lr=0.1)

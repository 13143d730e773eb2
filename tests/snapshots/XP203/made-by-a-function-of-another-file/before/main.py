import torch
import optim
from optim import get_optimizer
from torch import nn

model = nn.Linear(2, 2)
optimizer = get_optimizer(model, 0.1)
model.cuda()

other = nn.Linear(2, 2)
number = optim.count(other)
second = torch.optim.SGD(optim.parameters_of(other, 0.1), lr=0.1)
other = other.cuda()

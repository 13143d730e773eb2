import torch
from accelerate import Accelerator
from torch import nn

accelerator = Accelerator()
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
net, opt = accelerator.prepare(net, opt)

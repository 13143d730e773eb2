import torch
from accelerate import Accelerator
from torch import nn


class Run:
    def __init__(self):
        self.accelerator = Accelerator()
        model = nn.Linear(4, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.model = self.accelerator.prepare(model)
        self.optimizer = self.accelerator.prepare(optimizer)


accelerator = Accelerator()
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
net = accelerator.prepare_model(net)
opt = accelerator.prepare_optimizer(opt)

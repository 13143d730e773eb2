import torch
from torch import nn

device = torch.device("cuda")


def train(nets, opts):
    for net in nets:
        net.to(device)
    return opts


class Solver:
    def __init__(self, models, opts):
        self.models = models
        self.models = [m.to(device) for m in self.models]
        self.opts = opts


nets = [nn.Linear(2, 2), nn.Linear(2, 2)]
opts = [torch.optim.SGD(net.parameters(), lr=0.1) for net in nets]
train(nets, opts)
models = [nn.Linear(2, 2), nn.Linear(2, 2)]
groups = [{"params": m.parameters()} for m in models]
opt = torch.optim.SGD(groups, lr=0.1)
Solver(models, opt)

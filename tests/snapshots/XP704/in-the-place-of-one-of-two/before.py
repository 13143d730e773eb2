import sys

import torch
from torch import nn


class Narrow(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("bank", torch.rand(8, 4))

    def forward(self, x):
        return x @ self.bank.t()


class Wide(Narrow):
    pass


def main(path, loader):
    net = nn.Linear(4, 4).cuda()
    if len(sys.argv) > 1:
        head = Narrow().cuda()
    else:
        head = Wide().cuda()
    if path:
        saved = torch.load(path)
        net.load_state_dict(saved["net"])
        head = saved["head"]
    for x in loader:
        print(run(net, head, x.cuda()))


def weights(path):
    head = Narrow().cuda()
    if path:
        head = torch.load(path)
        net = Wide().cuda()
        net.load_state_dict(head)
    return net


def run(net, head, x):
    return head(net(x)).sum()

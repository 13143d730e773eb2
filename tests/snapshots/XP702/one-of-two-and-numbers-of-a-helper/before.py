import sys

import torch
from torch import nn


class Meter:
    def __init__(self):
        self.avg, self.sum, self.count = 0, 0, 0

    def update(self, value):
        self.sum += value
        self.count += 1
        self.avg = self.sum / self.count


def validate(net, loader):
    losses, hits = Meter(), Meter()
    for x in loader:
        losses.update(net(x.cuda()).mean().item())
        hits.update(0.5)
    return losses.avg, hits.avg


def unknown(net):
    return net.first, net.second


net = nn.Linear(4, 2).cuda()
if sys.argv[1:]:
    head = nn.Linear(2, 2).cuda()
else:
    head = nn.Linear(2, 2, bias=False).cuda()
head.requires_grad_(False)
loss, accuracy = validate(net, [torch.zeros(1, 4)])
torch.save({"net": net.state_dict(), "loss": loss, "accuracy": accuracy}, "net.pt")
torch.save({"head": head}, "head.pt")
first, second = unknown(net)
torch.save({"net": net.state_dict(), "first": first}, "both.pt")

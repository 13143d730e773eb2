import torch
from torch import nn

model = nn.Linear(4, 4).cuda()


def step(x, y, wait):
    x = x.cuda(non_blocking=True)
    y = y.cuda(0, not wait)
    return (model(x) - y).square().mean()

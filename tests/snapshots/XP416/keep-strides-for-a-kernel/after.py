import torch
from torch import nn

from kernels import softmax_kernel


def train(loader):
    model = nn.Linear(4, 2).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        y = model(x.cuda())
        softmax_kernel[(8,)](y, y.stride(0), rows=y.stride(1))
        opt.zero_grad()
        y.sum().backward()
        opt.step()

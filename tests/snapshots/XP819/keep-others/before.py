"""Other backends, what is off, decorators, another library's, and re.compile."""

import re

import torch
from somewhere import compile
from torch import nn

model = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
word = re.compile("a")
one = torch.compile(model, backend="openxla")
two = torch.compile(model, disable=True)
three = compile(model)
four = torch.compile(model, **options)


@torch.compile
def loss_of(out):
    return out.sum()


@torch.compile(dynamic=True)
def mean_of(out):
    return out.mean()


for x in loader:
    loss = loss_of(one(x.cuda())) + mean_of(two(x.cuda()))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

import sys

import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader


def main(data, size):
    if sys.argv[1] == "one":
        loader = DataLoader(data, batch_size=size, shuffle=True)
    elif sys.argv[1] == "two":
        loader = DataLoader(data, batch_size=size, drop_last=True)
    else:
        raise ValueError(sys.argv[1])
    train(loader)


def train(loader):
    model = nn.Linear(4, 2).to(torch_xla.device())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()


main(torch.zeros(10, 4), 4)

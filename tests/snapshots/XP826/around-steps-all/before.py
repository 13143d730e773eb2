import torch
import torch.cuda.nvtx as nvtx
from torch import nn

model = nn.Linear(4, 4).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)


@torch.no_grad()
@nvtx.range("evaluate")
def evaluate(loader):
    for x in loader:
        print(model(x.cuda()).sum())


def epoch(loader):
    with nvtx.range("epoch"):
        # one step for each batch
        for x in loader:
            opt.zero_grad()
            model(x.cuda()).sum().backward()
            opt.step()


def steps(loader):
    for x in loader:
        with nvtx.range("step"):
            opt.zero_grad()
            model(x.cuda()).sum().backward()
            opt.step()


def outer(loader):
    with nvtx.range("outer"):
        epoch(loader)
    with nvtx.range("waits"):
        torch.cuda.synchronize()

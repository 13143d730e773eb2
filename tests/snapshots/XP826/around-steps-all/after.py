import torch
import torch.cuda.nvtx as nvtx
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn

model = nn.Linear(4, 4).to(torch_xla.device())
opt = torch.optim.SGD(model.parameters(), lr=0.1)


@torch.no_grad()
def evaluate(loader):
    for x in loader:
        print(model(x.to(torch_xla.device())).sum())


def epoch(loader):
    # one step for each batch
    for x in loader:
        opt.zero_grad()
        model(x.to(torch_xla.device())).sum().backward()
        opt.step()
        torch_xla.sync()


def steps(loader):
    for x in loader:
        with nvtx.range("step"):
            opt.zero_grad()
            model(x.to(torch_xla.device())).sum().backward()
            opt.step()
        torch_xla.sync()


def outer(loader):
    epoch(loader)
    torch_xla.sync()
    xm.wait_device_ops()

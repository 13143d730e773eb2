"""Ranks of torchrun are read where a device is named, and that goes."""

import torch
import torch.distributed as dist
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.xla_backend
import torch_xla.runtime as xr
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    dist.init_process_group(backend="xla", init_method="xla://")
    torch.cuda.set_device(xr.local_ordinal())
    model = DistributedDataParallel(nn.Linear(8, 4).cuda(), gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    xm.rendezvous("barrier")
    for _ in range(100):
        optimizer.zero_grad()
        model(torch.randn(16, 8).cuda()).square().mean().backward()
        optimizer.step()


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)

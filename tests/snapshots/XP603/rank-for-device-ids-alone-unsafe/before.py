"""Ranks of torchrun are read where a device is named, and that goes."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    dist.init_process_group(backend="nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    model = DistributedDataParallel(nn.Linear(8, 4).cuda(), device_ids=[int(os.environ["LOCAL_RANK"])])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    dist.barrier(device_ids=[int(os.environ["LOCAL_RANK"])])
    for _ in range(100):
        optimizer.zero_grad()
        model(torch.randn(16, 8).cuda()).square().mean().backward()
        optimizer.step()


if __name__ == "__main__":
    main()

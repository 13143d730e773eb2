import os
import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def setup(rank, world_size):
    os.environ["MASTER_ADDR"] = "localhost"
    os.environ["MASTER_PORT"] = "12355"
    dist.init_process_group("nccl", rank=rank, world_size=world_size)


def demo_basic(rank, world_size):
    print(f"basic on {rank} of {world_size}")
    setup(rank, world_size)
    model = DDP(nn.Linear(10, 5).to(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    optimizer.zero_grad()
    model(torch.randn(20, 10).to(rank)).square().mean().backward()
    optimizer.step()
    dist.destroy_process_group()


def demo_wide(rank, world_size):
    setup(rank, world_size)
    DDP(nn.Linear(10, 50).to(rank), device_ids=[rank])
    dist.destroy_process_group()


def run_demo(demo, world_size):
    mp.spawn(demo, args=(world_size,), nprocs=world_size, join=True)


if __name__ == "__main__":
    n_gpus = torch.cuda.device_count()
    assert n_gpus >= 2, f"Requires at least 2 GPUs to run, but got {n_gpus}"
    world_size = n_gpus
    run_demo(demo_basic, world_size)
    run_demo(demo_wide, world_size)

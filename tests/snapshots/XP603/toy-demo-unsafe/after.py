import sys

import torch
import torch.distributed as dist
import torch.nn as nn
import torch_xla
import torch_xla.distributed.xla_backend
import torch_xla.runtime as xr
from torch.nn.parallel import DistributedDataParallel as DDP


def setup(rank, world_size):
    dist.init_process_group("xla", init_method="xla://")


def demo_basic(rank, world_size):
    world_size = xr.world_size()
    print(f"basic on {rank} of {world_size}")
    setup(rank, world_size)
    model = DDP(nn.Linear(10, 5).to(rank), gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    optimizer.zero_grad()
    model(torch.randn(20, 10).to(rank)).square().mean().backward()
    optimizer.step()
    dist.destroy_process_group()


def demo_wide(rank, world_size):
    world_size = xr.world_size()
    setup(rank, world_size)
    DDP(nn.Linear(10, 50).to(rank), gradient_as_bucket_view=True)
    dist.destroy_process_group()


def run_demo(demo, world_size):
    torch_xla.launch(demo, args=(world_size,))


if __name__ == "__main__":
    n_gpus = 1
    world_size = n_gpus
    run_demo(demo_basic, world_size)
    run_demo(demo_wide, world_size)

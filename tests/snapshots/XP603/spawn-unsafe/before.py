import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel


def setup(rank, world_size):
    os.environ["MASTER_ADDR"] = "localhost"
    os.environ.setdefault("MASTER_PORT", "12355")
    # join the others
    dist.init_process_group("nccl", rank=rank, world_size=world_size)


def worker(rank, world_size: int, lr):
    """Train on one GPU."""
    setup(rank, world_size)
    model = DistributedDataParallel(torch.nn.Linear(4, 1).to(rank), find_unused_parameters=False)
    total = torch.zeros(1, device=rank)
    dist.all_reduce(total, op=dist.ReduceOp.SUM)
    assert isinstance(model, DistributedDataParallel)


def run():
    count = torch.cuda.device_count()
    mp.spawn(worker, args=(count, 0.1), nprocs=count, join=True)


if __name__ == "__main__":
    run()

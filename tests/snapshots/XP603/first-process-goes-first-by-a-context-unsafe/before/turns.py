from contextlib import contextmanager

import torch.distributed as dist


@contextmanager
def first_goes_first(rank):
    if rank != 0:
        dist.barrier()
    yield
    if rank == 0:
        dist.barrier()

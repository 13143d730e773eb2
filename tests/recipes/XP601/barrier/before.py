import torch
import torch.distributed as dist


def averaged(x):
    dist.all_reduce(x)
    dist.barrier()
    return x

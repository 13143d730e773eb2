import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def mean(value):
    dist.all_reduce(value)
    return value / dist.get_world_size()


def total(value):
    dist.all_reduce(value)
    if dist.get_world_size() > 1:
        dist.barrier()
    return value


def first(value):
    dist.all_reduce(value)  # xlaport: ignore[XP601]
    return value


def wrapped(model, rank):
    return DistributedDataParallel(model, device_ids=[rank], output_device=rank)

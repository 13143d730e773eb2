import torch
from torch.utils.data.distributed import DistributedSampler


def sampler(data, world, rank):
    return DistributedSampler(data, num_replicas=world, rank=rank)

import torch
import torch.distributed as dist


def agree(x):
    dist.broadcast(x, 0)
    return x

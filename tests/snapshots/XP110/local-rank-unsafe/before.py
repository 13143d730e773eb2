import torch
import torch.distributed as dist


def setup(rank):
    local_rank = rank % torch.cuda.device_count()
    again = dist.get_rank() % torch.cuda.device_count()
    return local_rank, again

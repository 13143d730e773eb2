import torch
import torch.distributed as dist
from torch import nn


def main(model: nn.Module):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    total = torch.zeros(1).cuda()
    if rank != 0:
        dist.barrier()
    dist.all_reduce(total)
    if rank == 0:
        dist.barrier()


if __name__ == "__main__":
    main(nn.Linear(2, 2))

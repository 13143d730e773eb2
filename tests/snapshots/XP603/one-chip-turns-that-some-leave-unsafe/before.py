import os

import torch.distributed as dist


def prepare(rank):
    if rank != 0:
        dist.barrier()
    if os.path.exists("cache.pt"):
        return
    if rank == 0:
        dist.barrier()


def main():
    dist.init_process_group("nccl")
    prepare(dist.get_rank())


if __name__ == "__main__":
    main()

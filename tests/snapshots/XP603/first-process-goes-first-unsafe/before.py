import os

import torch.distributed as dist


def prepare(rank, again):
    if rank not in [-1, 0] and not again:
        dist.barrier()
    print("read or make the cache")
    if rank == 0 and not again:
        dist.barrier()


def fetch(is_main):
    if is_main:
        print("fetch")
        dist.barrier()
    if not is_main:
        dist.barrier()


def main():
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    prepare(rank, again=False)
    fetch(dist.get_rank() == 0)
    if rank:
        dist.barrier()
    with open("vocabulary.txt") as file:
        words = file.read().split()
    if not rank:
        dist.barrier(device_ids=[rank])
    print(len(words))


if __name__ == "__main__":
    main()

from contextlib import contextmanager

import torch.distributed as dist


@contextmanager
def first_goes_first(rank):
    if rank != 0:
        dist.barrier()
    yield
    if rank == 0:
        dist.barrier()


def main():
    dist.init_process_group("nccl")
    with first_goes_first(dist.get_rank()):
        dist.barrier()


if __name__ == "__main__":
    main()

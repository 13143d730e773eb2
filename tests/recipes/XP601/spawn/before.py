import torch
import torch.multiprocessing as mp


def work(rank, n):
    print(rank, n)


if __name__ == "__main__":
    mp.spawn(work, args=(4,), nprocs=2)

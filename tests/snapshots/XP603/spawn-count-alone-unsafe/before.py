import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(rank):
    dist.init_process_group("nccl", "tcp://127.0.0.1:2345", world_size=torch.cuda.device_count(), rank=rank)


def unused(rank, size):
    dist.init_process_group()


if __name__ == "__main__":
    mp.spawn(worker, nprocs=torch.cuda.device_count())
    mp.spawn(unused, args=(torch.cuda.device_count(),), nprocs=torch.cuda.device_count())

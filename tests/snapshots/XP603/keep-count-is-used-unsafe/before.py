import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(rank, size):
    dist.init_process_group("nccl", rank=rank, world_size=size)


if __name__ == "__main__":
    size = torch.cuda.device_count()
    print(size)
    mp.spawn(worker, args=(size,), nprocs=size)

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(rank, world_size, batch_size):
    dist.init_process_group("nccl", rank=rank, world_size=world_size)


def main(total):
    world_size = torch.cuda.device_count()
    batch_size = total // world_size
    mp.spawn(worker, args=(world_size, batch_size), nprocs=world_size)


if __name__ == "__main__":
    main(64)

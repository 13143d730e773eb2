import torch
import torch.distributed as dist
import torch.multiprocessing as mp

torch.manual_seed(0)


def worker(rank, seed):
    dist.init_process_group("nccl", rank=rank)
    torch.manual_seed(seed)
    torch.cuda.manual_seed(seed)


def main(seed):
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    mp.spawn(worker, args=(seed,), nprocs=2)


if __name__ == "__main__":
    main(1)

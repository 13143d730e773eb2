import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(rank, model):
    dist.init_process_group("nccl")


def build():
    return torch.nn.Linear(4, 1).cuda()


def main():
    model = build()
    mp.spawn(worker, args=(model,), nprocs=torch.cuda.device_count())


if __name__ == "__main__":
    main()

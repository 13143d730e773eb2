import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch_xla

DEVICE = torch.device("xla")


def join(rank):
    device = torch.device("xla")
    dist.init_process_group("nccl", rank=rank)
    return torch_xla.device(), device


def worker(rank, size):
    _, device = join(rank)
    return torch.zeros(1, device=torch_xla.device())


def main():
    if torch.cuda.is_available():
        device = torch.device("xla")
        print(device)
    mp.spawn(worker, args=(2,), nprocs=2)
    print(torch_xla.device())


if __name__ == "__main__":
    main()

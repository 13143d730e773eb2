import torch
import torch.distributed as dist
import torch.multiprocessing as mp

DEVICE = torch.device("cuda")


def join(rank):
    device = torch.accelerator.current_accelerator()
    dist.init_process_group("nccl", rank=rank)
    return torch.device("cuda", rank), device


def worker(rank, size):
    _, device = join(rank)
    return torch.zeros(1, device=torch.device("cuda"))


def main():
    if torch.cuda.is_available():
        device = torch.device("cuda")
        print(device)
    mp.spawn(worker, args=(2,), nprocs=2)
    print(torch.device("cuda"))


if __name__ == "__main__":
    main()

import torch
import torch.distributed as dist
from torch.distributed import get_default_backend_for_device


def main():
    backend = "nccl"
    dist.init_process_group(backend, timeout=delay())


def other(device):
    chosen = get_default_backend_for_device(device)
    dist.init_process_group(backend=chosen, rank=rank(), world_size=2)


if __name__ == "__main__":
    main()
    other(torch.device("cuda"))

import torch
import torch.distributed as dist

BACKENDS = {"cuda": "nccl", "cpu": "gloo"}


def start(backend="nccl"):
    dist.init_process_group(backend)
    if dist.get_backend() == "nccl":
        pass

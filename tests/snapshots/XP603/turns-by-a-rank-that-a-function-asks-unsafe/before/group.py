import torch


def join():
    torch.distributed.init_process_group(backend="nccl", init_method="env://")


def number():
    return torch.distributed.get_rank() if torch.distributed.is_initialized() else 0

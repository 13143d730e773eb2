import torch
import torch_xla.distributed.xla_backend


def join():
    torch.distributed.init_process_group(backend="xla", init_method="xla://")


def number():
    return torch.distributed.get_rank() if torch.distributed.is_initialized() else 0

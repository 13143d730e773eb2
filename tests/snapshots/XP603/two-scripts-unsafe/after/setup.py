import torch.distributed as dist
import torch_xla.distributed.xla_backend
import torch_xla.runtime as xr


def join():
    dist.init_process_group(backend="xla", init_method="xla://")


def share(number):
    return number // xr.world_size()

import torch
import torch.distributed as dist
import torch_xla.distributed.xla_backend

BACKEND = "xla"


def setup():
    dist.init_process_group(BACKEND, init_method="xla://")
    dist.barrier()
    x = torch.ones(3)
    dist.all_reduce(x)
    return x

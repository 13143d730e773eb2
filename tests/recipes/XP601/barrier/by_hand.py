import torch
import torch.distributed as dist
import torch_xla.core.xla_model as xm


def averaged(x):
    dist.all_reduce(x)
    xm.rendezvous("averaged")
    return x

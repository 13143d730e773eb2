import torch
import torch.distributed as dist
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.xla_backend
from torch import nn


def main(model: nn.Module):
    dist.init_process_group("xla", init_method="xla://")
    rank = dist.get_rank()
    total = torch.zeros(1).cuda()
    if rank != 0:
        xm.rendezvous("barrier")
    dist.all_reduce(total)
    torch_xla.sync()
    if rank == 0:
        xm.rendezvous("barrier")


def _mp_fn(index):
    main(nn.Linear(2, 2))


if __name__ == "__main__":
    torch_xla.launch(_mp_fn, debug_single_process=True)

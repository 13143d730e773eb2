import os

import torch.distributed as dist
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.xla_backend


def prepare(rank):
    if rank != 0:
        xm.rendezvous("barrier")
    if os.path.exists("cache.pt"):
        return
    if rank == 0:
        xm.rendezvous("barrier")


def main():
    dist.init_process_group("xla", init_method="xla://")
    prepare(dist.get_rank())


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn, debug_single_process=True)

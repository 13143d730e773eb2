import os

import torch
import torch.distributed as dist


def init(backend):
    rank = int(os.environ["RANK"])
    # how many GPUs there are
    count = torch.cuda.device_count()
    torch.cuda.set_device(rank % count)

    dist.init_process_group(backend)


def with_more(backend):
    rank = int(os.environ["RANK"])
    count = torch.cuda.device_count()
    torch.cuda.set_device(rank % count)
    dist.init_process_group(backend, rank=rank)


def computed(connect):
    rank = connect()
    torch.cuda.set_device(rank)
    print("connected")


def nothing_else():
    rank = int(os.environ["RANK"])
    torch.cuda.set_device(rank)

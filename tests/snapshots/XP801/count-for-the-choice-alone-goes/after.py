import os

import torch.distributed as dist


def init(backend):
    dist.init_process_group(backend)


def with_more(backend):
    rank = int(os.environ["RANK"])
    dist.init_process_group(backend, rank=rank)


def computed(connect):
    rank = connect()
    print("connected")


def nothing_else():
    rank = int(os.environ["RANK"])

import os

import torch.distributed as dist


def join():
    dist.init_process_group()


def share(number):
    return number // int(os.environ["WORLD_SIZE"])

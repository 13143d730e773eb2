import os

import torch
import torch.distributed as dist


def join():
    dist.init_process_group("nccl", rank=int(os.environ["RANK"]), world_size=int(os.environ["WORLD_SIZE"]))
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))


def seed(number):
    torch.manual_seed(number)

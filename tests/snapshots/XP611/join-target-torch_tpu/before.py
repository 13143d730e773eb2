import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main(rank, world_size):
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    model = DDP(nn.Linear(2, 2), device_ids=[rank], output_device=rank, find_unused_parameters=True)
    backend = "nccl" if torch.cuda.is_available() else "gloo"
    other = dist.new_group([0], backend="nccl")
    dist.init_process_group(backend=backend)
    dist.init_process_group(
        backend="nccl" if torch.cuda.is_available() else "gloo",
        init_method="env://",
    )
    third = DDP(model, device_ids=[rank], output_device=rank)
    return DDP(
        model,
        # where it is
        device_ids=[
            int(os.environ["LOCAL_RANK"]),
        ],
    ), other, third

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main(rank, world_size):
    dist.init_process_group("tpu_dist", rank=rank, world_size=world_size)
    model = DDP(nn.Linear(2, 2), find_unused_parameters=True)
    backend = "tpu_dist" if torch.cuda.is_available() else "gloo"
    other = dist.new_group([0], backend="tpu_dist")
    dist.init_process_group(backend=backend)
    dist.init_process_group(
        backend="tpu_dist" if torch.cuda.is_available() else "gloo",
        init_method="env://",
    )
    third = DDP(model)
    return DDP(
        model,
    ), other, third

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel


def train(rank):
    dist.init_process_group("tpu_dist", rank=rank, world_size=8)
    model = DistributedDataParallel(torch.nn.Linear(2, 2))
    return model


mp.spawn(train, nprocs=torch.cuda.device_count())

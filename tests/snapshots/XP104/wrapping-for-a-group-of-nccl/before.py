import torch
import torch.distributed as dist
from mpi4py import MPI
from torch import nn
from torch.nn.parallel import DistributedDataParallel

rank = MPI.COMM_WORLD.Get_rank()
dist.init_process_group("nccl", init_method="env://", rank=rank, world_size=MPI.COMM_WORLD.Get_size())
model = nn.Linear(4, 2)
if torch.cuda.is_available():
    model = DistributedDataParallel(model, device_ids=[rank])
if torch.cuda.is_available():
    model = DistributedDataParallel(model.cuda(), device_ids=[rank])

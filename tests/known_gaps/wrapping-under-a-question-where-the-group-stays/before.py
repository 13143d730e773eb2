import torch
import torch.distributed as dist
from mpi4py import MPI
from torch import nn

rank = MPI.COMM_WORLD.Get_rank()
dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo", init_method="env://")
model = nn.Linear(4, 2).cuda()
if torch.cuda.is_available():
    wrapped = nn.parallel.DistributedDataParallel(model, device_ids=[rank])
else:
    wrapped = model
wrapped(torch.ones(2, 4).cuda()).sum().backward()

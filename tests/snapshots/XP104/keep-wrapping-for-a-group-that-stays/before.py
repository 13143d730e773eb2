import os

import torch
import torch.distributed as dist
from mpi4py import MPI
from torch import nn
from torch.nn.parallel import DistributedDataParallel

comm = MPI.COMM_WORLD
os.environ["RANK"] = str(comm.Get_rank())
os.environ["WORLD_SIZE"] = str(comm.Get_size())
dist.init_process_group(os.environ.get("BACKEND", "nccl"), init_method="env://")
model = nn.Linear(4, 2).to(torch.device("cuda"))
if torch.cuda.is_available():
    wrapped = DistributedDataParallel(model, device_ids=[torch.device("cuda")])
else:
    print("The gradients are not averaged.")
    wrapped = model
other = model if not torch.cuda.is_available() else DistributedDataParallel(model)

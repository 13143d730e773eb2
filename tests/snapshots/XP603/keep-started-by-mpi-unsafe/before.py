import os

import torch
import torch.distributed as dist
from mpi4py import MPI
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def join():
    comm = MPI.COMM_WORLD
    os.environ["MASTER_ADDR"] = comm.bcast("localhost", root=0)
    os.environ["RANK"] = str(comm.rank)
    os.environ["WORLD_SIZE"] = str(comm.size)
    os.environ["MASTER_PORT"] = "29500"
    dist.init_process_group(backend="nccl", init_method="env://")


def main():
    join()
    model = DistributedDataParallel(nn.Linear(4, 2).cuda(), device_ids=[torch.cuda.current_device()])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        loss = model(torch.zeros(8, 4).cuda()).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()

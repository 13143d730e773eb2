import os

import torch
import torch.distributed as dist
import torch_xla.distributed.xla_backend
import torch_xla.runtime as xr
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def join():
    if "RANK" in os.environ:
        rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    elif "OMPI_COMM_WORLD_RANK" in os.environ:
        rank, size = int(os.environ["OMPI_COMM_WORLD_RANK"]), int(os.environ["OMPI_COMM_WORLD_SIZE"])
        os.environ["RANK"] = str(rank)
        os.environ["WORLD_SIZE"] = str(size)
    else:
        rank, size = 0, 1
    dist.init_process_group("xla", init_method="xla://")
    rank = xr.global_ordinal()
    return rank

def main():
    rank = join()
    model = DistributedDataParallel(nn.Linear(4, 2).cuda(), gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        loss = model(torch.zeros(8, 4).cuda()).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(rank)


if __name__ == "__main__":
    main()

import os

import torch
import torch.distributed as dist
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
    dist.init_process_group("nccl", rank=rank, world_size=size)
    return rank

def main():
    rank = join()
    model = DistributedDataParallel(nn.Linear(4, 2).cuda(), device_ids=[torch.cuda.current_device()])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        loss = model(torch.zeros(8, 4).cuda()).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(rank)


if __name__ == "__main__":
    main()

import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel

from tools.processes import (
    join,
    seed,
    ReplicaSyncBatchNorm,
)


def main():
    join()
    seed(0)
    model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)).cuda()
    model = DistributedDataParallel(ReplicaSyncBatchNorm.convert_sync_batchnorm(model))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        loss = model(torch.randn(8, 4).cuda()).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()

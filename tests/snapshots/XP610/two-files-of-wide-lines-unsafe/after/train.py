import torch
import torch.distributed as dist
import torch.nn as nn
from layers import block_of_several_layers_with_normalization, block as block_of_one_layer, ReplicaSyncBatchNorm
from torch.nn.parallel import DistributedDataParallel


def main():
    dist.init_process_group("nccl")
    model = nn.Sequential(block_of_several_layers_with_normalization(), block_of_one_layer(), ReplicaSyncBatchNorm(4)).cuda()
    model = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        loss = model(torch.randn(8, 4).cuda()).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()

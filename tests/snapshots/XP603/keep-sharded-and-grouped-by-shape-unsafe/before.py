import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import (
    CPUOffload,
    FullyShardedDataParallel as FSDP,
    MixedPrecision,
    ShardingStrategy,
    StateDictType,
)


def main():
    dist.init_process_group("nccl")
    model = nn.Sequential(nn.Linear(40, 40), nn.Linear(40, 4))
    model = FSDP(model)
    decayed = [p for p in model.parameters() if p.dim() > 1]

    print(model)


if __name__ == "__main__":
    main()

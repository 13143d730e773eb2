import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp.wrap import ModuleWrapPolicy


def main():
    dist.init_process_group("nccl")
    model = nn.Sequential(nn.Linear(40, 40), nn.Linear(40, 4))
    model = FSDP(model, auto_wrap_policy=ModuleWrapPolicy({nn.Linear}), sync_module_states=True, use_orig_params=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=float(os.environ["LR"]))
    print(optimizer, isinstance(model, FSDP))


if __name__ == "__main__":
    main()

import os

import torch
import torch.distributed as dist
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.fsdp as xla_fsdp
import torch_xla.distributed.xla_backend
from torch import nn
from torch.distributed.fsdp.wrap import ModuleWrapPolicy


def main():
    dist.init_process_group("xla", init_method="xla://")
    model = nn.Sequential(nn.Linear(40, 40), nn.Linear(40, 4))
    model.to(torch_xla.device())
    xm.broadcast_master_param(model)
    model = xla_fsdp.XlaFullyShardedDataParallel(model, auto_wrap_policy=ModuleWrapPolicy({nn.Linear}))
    optimizer = torch.optim.SGD(model.parameters(), lr=float(os.environ["LR"]))
    print(optimizer, isinstance(model, xla_fsdp.XlaFullyShardedDataParallel))


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)

import copy
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

rank = int(os.environ["LOCAL_RANK"])
dist.init_process_group("nccl")
torch.cuda.set_device(rank)
model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)).cuda()
model = nn.SyncBatchNorm.convert_sync_batchnorm(model)
parallel = DistributedDataParallel(model, device_ids=[rank])
loss = parallel(torch.randn(2, 3, 8, 8).cuda()).square().mean()
loss.backward()
if dist.get_rank() == 0:
    torch.save({"model": copy.deepcopy(parallel.module).half(), "epoch": 1}, "last.pt")

import os

import torch
import torch.distributed as dist

model = torch.nn.Linear(4, 1).to(int(os.environ["LOCAL_RANK"]))
ones = torch.ones(2, device=dist.get_rank())
longs = torch.ones(2).to(model.weight.dtype)

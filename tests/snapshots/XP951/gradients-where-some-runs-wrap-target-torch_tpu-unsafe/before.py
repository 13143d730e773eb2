import sys

import torch
import torch.distributed as dist
import torch_xla.core.xla_model as xm

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
if "--ddp" in sys.argv:
    dist.init_process_group("xla", init_method="xla://")
    model = torch.nn.parallel.DistributedDataParallel(model)
model(torch.zeros(1, 2)).sum().backward()
xm.optimizer_step(optimizer)

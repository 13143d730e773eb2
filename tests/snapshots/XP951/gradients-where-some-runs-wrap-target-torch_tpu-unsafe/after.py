import sys

import torch
import torch.distributed as dist
import os


def average_gradients(optimizer):
    """Averages an optimizer's gradients over all processes, as torch_xla's optimizer_step() did; gives the optimizer."""
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        if not torch.distributed.is_initialized():
            torch.distributed.init_process_group()
        count = torch.distributed.get_world_size()
        for weight in (weight for group in optimizer.param_groups for weight in group["params"]):
            if weight.grad is not None:
                torch.distributed.all_reduce(weight.grad)
                weight.grad.div_(count)
    return optimizer


model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
if "--ddp" in sys.argv:
    dist.init_process_group("xla", init_method="xla://")
    model = torch.nn.parallel.DistributedDataParallel(model)
model(torch.zeros(1, 2)).sum().backward()
average_gradients(optimizer).step()

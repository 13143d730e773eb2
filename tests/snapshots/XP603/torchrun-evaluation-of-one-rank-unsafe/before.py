import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

backend = "nccl"
config = {k: v for k, v in globals().items() if isinstance(v, str)}

ddp = int(os.environ.get("RANK", -1)) != -1
if ddp:
    dist.init_process_group(backend=backend)
    rank = int(os.environ["RANK"])
    device = f"cuda:{os.environ['LOCAL_RANK']}"
    torch.cuda.set_device(device)
    master_process = rank == 0
else:
    master_process = True
    device = "cuda"

torch.manual_seed(1)
model = torch.nn.Linear(4, 1).to(device)
if ddp:
    model = DDP(model, device_ids=[rank])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


@torch.no_grad()
def estimate():
    return model(torch.zeros(2, 4).to(device)).mean()


for step in range(10):
    if step % 5 == 0 and master_process:
        loss = estimate()
        print(step, loss)
    optimizer.zero_grad()
    model(torch.ones(2, 4).to(device)).mean().backward()
    optimizer.step()

if ddp:
    dist.destroy_process_group()

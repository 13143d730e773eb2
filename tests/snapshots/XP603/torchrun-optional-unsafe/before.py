import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

# one process without torchrun
ddp = int(os.environ.get("RANK", -1)) != -1
if ddp:
    dist.init_process_group(backend="nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    model = DDP(model, device_ids=[local_rank])

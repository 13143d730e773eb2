import os
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
import torch_xla.distributed.xla_backend

# one process without torchrun
ddp = int(os.environ.get("RANK", -1)) != -1
if ddp:
    dist.init_process_group(backend="xla", init_method="xla://")
    local_rank = int(os.environ["LOCAL_RANK"])
    model = DDP(model, gradient_as_bucket_view=True)

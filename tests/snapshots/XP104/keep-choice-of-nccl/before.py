import torch
import torch.distributed as dist

backend = "nccl" if torch.cuda.is_available() else "gloo"
if torch.cuda.is_available():
    dist.init_process_group("nccl")

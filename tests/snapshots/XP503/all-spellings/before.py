import torch
from torch.amp import GradScaler as Scaler
from torch.cuda.amp import GradScaler
from torch.distributed.fsdp.sharded_grad_scaler import ShardedGradScaler

scaler = GradScaler()
scaler = torch.cuda.amp.GradScaler(enabled=args.amp)
scaler = torch.cuda.amp.GradScaler(init_scale=2.0**16, growth_interval=100)
scaler = torch.cuda.amp.GradScaler(65536.0, 2.0, 0.5, 2000, True)
scaler = Scaler("cuda", enabled=(dtype == "float16"))
scaler = torch.GradScaler(
    device="cuda",  # where the model is
)
scaler = ShardedGradScaler()

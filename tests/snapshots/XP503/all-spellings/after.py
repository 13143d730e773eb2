import torch
from torch.amp import GradScaler as Scaler
from torch.cuda.amp import GradScaler
from torch.distributed.fsdp.sharded_grad_scaler import ShardedGradScaler

scaler = GradScaler(enabled=False)
scaler = torch.cuda.amp.GradScaler(enabled=False)
scaler = torch.cuda.amp.GradScaler(init_scale=2.0**16, growth_interval=100, enabled=False)
scaler = torch.cuda.amp.GradScaler(65536.0, 2.0, 0.5, 2000, False)
scaler = Scaler("cuda", enabled=False)
scaler = torch.GradScaler(
    device="cuda", enabled=False,  # where the model is
)
scaler = ShardedGradScaler(enabled=False)

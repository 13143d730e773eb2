import torch
from torch_xla.amp import GradScaler

scaler = GradScaler()
with torch.autocast("xla", dtype=torch.bfloat16):
    loss = model(x).sum()

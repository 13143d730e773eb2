import torch
import torch_xla
from torch.amp import GradScaler, autocast
from torch_xla.amp import syncfree

# torch_xla.amp.autocast
with autocast("xla", dtype=torch.bfloat16):
    loss = model(x).sum()
scaler = GradScaler("xla", enabled=False)

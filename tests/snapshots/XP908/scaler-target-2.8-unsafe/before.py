import torch
from torch_xla.amp import GradScaler, autocast

scaler = GradScaler()
with autocast(device):
    loss = model(x).sum()

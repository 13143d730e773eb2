"""Scalers that are off, for the CPU, or not torch's."""

import torch
from somewhere import GradScaler

scaler = GradScaler()
scaler = torch.amp.GradScaler("cpu")
scaler = torch.amp.GradScaler(device="cpu", enabled=True)
scaler = torch.cuda.amp.GradScaler(enabled=False)
scaler = torch.cuda.amp.GradScaler(65536.0, 2.0, 0.5, 2000, False)

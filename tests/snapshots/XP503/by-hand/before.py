import torch

scaler = torch.cuda.amp.GradScaler(**options)
scaler = torch.cuda.amp.GradScaler(*options)

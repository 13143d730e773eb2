import torch
from torch.cuda.amp import GradScaler, autocast

scaler = GradScaler()
for x in range(3):
    with autocast():
        print(x)
    with torch.cuda.amp.autocast(enabled=False):
        print(x)

import torch
from torch_xla.amp import autocast

with autocast(device, True):
    loss = model(x).sum()
with autocast(device, dtype=torch.float16):
    loss = model(x).sum()
with autocast(**options):
    loss = model(x).sum()
context = autocast

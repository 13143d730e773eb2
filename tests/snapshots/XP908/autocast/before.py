import torch
import torch_xla
import torch_xla.amp
from torch_xla.amp import autocast
from torch_xla.amp.autocast_mode import autocast as mode

with autocast(torch_xla.device()):
    loss = model(x).sum()
with torch_xla.amp.autocast(device, enabled=flags.amp, dtype=torch.bfloat16):
    loss = model(x).sum()
with mode(device=device, cache_enabled=False):
    loss = model(x).sum()


@autocast(device)
def forward(x):
    return model(x)

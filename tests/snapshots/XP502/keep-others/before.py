"""Autocast for the CPU, of another library, and what computes in bfloat16 already."""

import torch
from somewhere import autocast

model = torch.nn.Linear(4, 2).cuda()
x = torch.zeros(2, 4).cuda()
with torch.autocast("cpu", dtype=torch.float16):
    y = model(x)
with torch.autocast("xla", dtype=torch.bfloat16):
    y = model(x)
with torch.autocast("xla"):
    y = model(x)
with autocast(dtype=torch.float16):
    y = model(x)
with torch.cpu.amp.autocast(dtype=torch.bfloat16):
    y = model(x)

import functools

import torch
import torch.cuda.amp as amp
from torch.cuda.amp import autocast
from torch.cuda.amp.autocast_mode import autocast as casting

model = torch.nn.Linear(4, 2).cuda()
x = torch.zeros(2, 4).cuda()
with autocast():
    y = model(x)
with torch.cuda.amp.autocast(True), amp.autocast(enabled=args.amp, cache_enabled=False):
    y = model(x)
with casting(dtype=torch.float16, enabled=True):
    y = model(x)
with casting(dtype=torch.bfloat16):
    y = model(x)
with torch.autocast("cuda", dtype=torch.float16):
    y = model(x)
with torch.autocast(device_type="cuda", dtype=torch.half, enabled=args.amp):
    y = model(x)
with torch.amp.autocast("cuda", torch.float16):
    y = model(x)


@torch.cuda.amp.autocast()
def forward(x):
    return model(x)


class Layer(torch.nn.Module):
    @autocast(enabled=False)
    def forward(self, x):
        return x.float()

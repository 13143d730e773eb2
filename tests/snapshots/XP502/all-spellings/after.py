import functools

import torch

model = torch.nn.Linear(4, 2).cuda()
x = torch.zeros(2, 4).cuda()
with torch.autocast("xla", dtype=torch.bfloat16):
    y = model(x)
with torch.autocast("xla", dtype=torch.bfloat16, enabled=True), torch.autocast("xla", dtype=torch.bfloat16, enabled=args.amp, cache_enabled=False):
    y = model(x)
with torch.autocast("xla", dtype=torch.bfloat16, enabled=True):
    y = model(x)
with torch.autocast("xla", dtype=torch.bfloat16):
    y = model(x)
with torch.autocast("cuda", dtype=torch.bfloat16):
    y = model(x)
with torch.autocast(device_type="cuda", dtype=torch.bfloat16, enabled=args.amp):
    y = model(x)
with torch.amp.autocast("cuda", torch.bfloat16):
    y = model(x)


@torch.autocast("xla", dtype=torch.bfloat16)
def forward(x):
    return model(x)


class Layer(torch.nn.Module):
    @torch.autocast("xla", dtype=torch.bfloat16, enabled=False)
    def forward(self, x):
        return x.float()

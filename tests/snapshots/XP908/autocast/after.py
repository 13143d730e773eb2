import torch

with torch.autocast("xla", dtype=torch.bfloat16):
    loss = model(x).sum()
with torch.autocast("xla", enabled=flags.amp, dtype=torch.bfloat16):
    loss = model(x).sum()
with torch.autocast(device_type="xla", dtype=torch.bfloat16, cache_enabled=False):
    loss = model(x).sum()


@torch.autocast("xla", dtype=torch.bfloat16)
def forward(x):
    return model(x)

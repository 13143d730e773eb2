import torch

AMP = None


def setup():
    global AMP
    if AMP is None:
        AMP = torch.cuda.amp


setup()
with torch.autocast("xla", dtype=torch.bfloat16):
    y = torch.ones(3) * 2
with getattr(torch.cuda.amp, "autocast")():
    z = y * 2

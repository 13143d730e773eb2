import torch

if True:
    size = 512
    dtype = torch.float16
else:
    size = 64
    steps = 10

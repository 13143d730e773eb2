import torch
import torch_xla
from torch import nn

device = torch_xla.device()
x = torch.ones(3).to(device).bfloat16()
if x.dtype == torch.float16:
    x = x.float()
print(x.sum().item())

import torch
import torch_xla

from torch.cuda import *

empty_cache()
print(torch.ones(3).to(torch_xla.device()).sum().item())

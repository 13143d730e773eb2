import torch
import torch_xla

from torch import cuda

clear = cuda.empty_cache
print(torch.ones(3).to(torch_xla.device()).sum().item(), clear is None, cuda)

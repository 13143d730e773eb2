import torch
import torch_xla

import triton

print(triton.cdiv(3, 2), torch.ones(3).to(torch_xla.device()).sum().item())

import torch
import torch_xla

import os

print(os.environ.get("CUDA_LAUNCH_BLOCKING"), torch.ones(3).to(torch_xla.device()).sum().item())

import torch
import torch_xla

import os

home = os.environ.get("CUDA_HOME")
print(home, torch.ones(3).to(torch_xla.device()).sum().item())

import torch
import torch_xla

import os

if os.environ.get("NCCL_DEBUG"):
    print("debugging")
print(torch.ones(3).to(torch_xla.device()).sum().item())

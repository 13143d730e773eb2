import torch
import torch_xla

import os

visible = os.environ.get("CUDA_VISIBLE_DEVICES", "")
print(visible, torch.ones(3).to(torch_xla.device()).sum().item())

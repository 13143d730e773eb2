import torch
import torch_xla

import os

print(os.environ.get("XLA_USE_EAGER_DEBUG_MODE"), torch.ones(3).to(torch_xla.device()).sum().item())

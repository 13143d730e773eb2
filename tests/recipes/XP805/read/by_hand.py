import torch
import torch_xla

import os

visible = os.environ.get("TPU_VISIBLE_CHIPS", "")
print(visible, torch.ones(3).to(torch_xla.device()).sum().item())

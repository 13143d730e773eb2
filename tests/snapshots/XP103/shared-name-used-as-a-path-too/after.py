import os

import torch
import torch_xla

device = "xla"
os.makedirs(os.path.join("out", device))
x = torch.zeros(3, device=device)

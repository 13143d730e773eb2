import os

import torch
import torch_xla

device = "cuda"
os.makedirs(os.path.join("out", device))
x = torch.zeros(3, device=torch_xla.device())

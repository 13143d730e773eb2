import os

import torch
import torch_xla

NAMES = {"cuda": "gpu", "cpu": "host"}
device = "cuda"
x = torch.zeros(3).to(torch_xla.device())
with torch.autocast("xla"):
    y = x * 2
print(NAMES[device], os.path.join("out", device), device == "cuda")

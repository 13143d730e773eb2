import os

import torch

NAMES = {"cuda": "gpu", "cpu": "host"}
device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.zeros(3).to(device)
with torch.autocast(device):
    y = x * 2
print(NAMES[device], os.path.join("out", device), device == "cuda")

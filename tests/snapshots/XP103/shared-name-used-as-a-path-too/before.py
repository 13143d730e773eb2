import os

import torch

device = "cuda"
os.makedirs(os.path.join("out", device))
x = torch.zeros(3, device=device)

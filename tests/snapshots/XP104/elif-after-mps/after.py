import torch

if torch.backends.mps.is_available():
    size = 1
else:
    size = 2

import torch

if torch.backends.mps.is_available():
    size = 1
elif torch.cuda.is_available():
    size = 2
else:
    size = 3

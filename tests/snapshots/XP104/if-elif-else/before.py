import torch

if torch.cuda.is_available():
    device = "gpu"
elif torch.backends.mps.is_available():
    device = "mps"
else:
    device = "cpu"

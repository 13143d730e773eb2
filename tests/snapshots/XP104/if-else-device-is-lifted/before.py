import torch

if torch.cuda.is_available():
    device = "gpu"
else:
    device = "cpu"

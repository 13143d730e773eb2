import torch

if torch.cuda.is_available():
    device: str = "gpu"
else:
    device: str = "cpu"

import torch

n = 1 if not torch.cuda.is_available() else 8

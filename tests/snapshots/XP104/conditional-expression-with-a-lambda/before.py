import torch

f = (lambda x: x + 1) if torch.cuda.is_available() else (lambda x: x)

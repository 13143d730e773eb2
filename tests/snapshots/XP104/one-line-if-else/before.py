import torch

if torch.cuda.is_available(): x = 1
else: x = 2

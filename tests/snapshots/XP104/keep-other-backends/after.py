import torch

print(torch.backends.mps.is_available(), torch.distributed.is_available())

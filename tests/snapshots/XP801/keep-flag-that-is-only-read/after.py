import torch

old = torch.backends.cudnn.benchmark
print(old, torch.backends.cudnn.version())

import torch

x = 1

torch.backends.cudnn.benchmark = True

y = 2

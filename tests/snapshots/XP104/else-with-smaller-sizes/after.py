import torch

size = 512
dtype = torch.float16

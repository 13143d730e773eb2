import torch

generator = torch.manual_seed(0)

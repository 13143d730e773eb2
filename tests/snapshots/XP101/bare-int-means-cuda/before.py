import torch

device = torch.device(0)

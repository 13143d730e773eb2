import torch

torch.manual_seed(0)
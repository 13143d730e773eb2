import torch

torch.manual_seed(seed=5)

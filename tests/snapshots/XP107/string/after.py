import torch

g = torch.Generator()
h = torch.Generator().manual_seed(3)

import torch

g = torch.Generator()
g.manual_seed(0)

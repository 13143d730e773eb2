import torch

device = torch.device("cuda")
g = torch.Generator()
g.manual_seed(0)

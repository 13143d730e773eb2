import torch

device = torch.device("cuda")
g = torch.Generator(device=device)
g.manual_seed(0)

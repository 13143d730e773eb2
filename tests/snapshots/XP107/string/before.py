import torch

g = torch.Generator("cuda")
h = torch.Generator(device="cuda:0").manual_seed(3)

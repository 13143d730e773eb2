import torch

device = "cuda"
g = torch.Generator(device=device)
x = torch.randn(3, device=device)

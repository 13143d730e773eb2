import torch

device = torch.device("cuda")
g = torch.Generator(device=device).manual_seed(0)
x = torch.randn(3, generator=g, device=device)

import torch

device = "cuda"
g = torch.Generator(device=device)
x = torch.zeros(3, device=device)

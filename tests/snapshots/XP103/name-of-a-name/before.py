import torch

DEVICE = "cuda"
device = DEVICE
x = torch.zeros(3, device=device)

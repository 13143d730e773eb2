import torch

device = torch.device("cuda")
x = torch.empty(3, device=device)

import torch

x = torch.zeros(3, device="cuda:0")
y = torch.zeros_like(x, device="cuda")
z = x.new_zeros(3, device="cuda")

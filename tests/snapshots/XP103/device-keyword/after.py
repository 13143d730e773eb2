import torch
import torch_xla

x = torch.zeros(3, device=torch_xla.device())
y = torch.zeros_like(x, device=torch_xla.device())
z = x.new_zeros(3, device=torch_xla.device())

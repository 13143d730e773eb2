import torch
import torch_xla

x = torch.ones(3).to(torch_xla.device())
name = "none"
print(x.sum().item(), name)

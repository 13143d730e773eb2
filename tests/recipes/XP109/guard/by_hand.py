import torch
import torch_xla

x = torch.ones(3).to(torch_xla.device())
print(x.sum().item())

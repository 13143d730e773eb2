import torch
import torch_xla

dtype = torch.bfloat16
print(torch.ones(3).to(torch_xla.device(), dtype).sum().item())

import torch
import torch_xla

print(torch.ones(3).to(torch_xla.device()).sum().item())

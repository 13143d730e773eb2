import torch
import torch_xla

device = torch_xla.device()
print(torch.ones(2, device=device).sum().item())

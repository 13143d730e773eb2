import torch
import torch_xla

device = torch_xla.device()
g = torch.Generator().manual_seed(0)
x = torch.randn(3, generator=g, device=device)

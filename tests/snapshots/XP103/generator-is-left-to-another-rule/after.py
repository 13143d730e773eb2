import torch
import torch_xla

device = "xla"
g = torch.Generator(device=device)
x = torch.randn(3, device=device)

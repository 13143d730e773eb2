import torch
import torch_xla

device = "xla"
g = torch.Generator()
x = torch.zeros(3, device=device)

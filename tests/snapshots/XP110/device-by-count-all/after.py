import torch
import torch_xla

device = "xla"
x = torch.zeros(1, device=device)

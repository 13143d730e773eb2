import torch
import torch_xla

DEVICE = "xla"
device = DEVICE
x = torch.zeros(3, device=device)

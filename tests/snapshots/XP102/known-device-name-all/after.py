import torch
import torch_xla

device = torch_xla.device()
x = torch.zeros(3).to(device)

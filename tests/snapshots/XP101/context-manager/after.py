import torch
import torch_xla

with torch_xla.device():
    x = torch.zeros(3)

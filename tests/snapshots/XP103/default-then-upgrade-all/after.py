import torch
import torch_xla

device = "xla"
x = torch.zeros(3).to(device)

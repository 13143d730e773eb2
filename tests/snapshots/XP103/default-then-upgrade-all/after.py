import torch
import torch_xla

device = "cpu"
device = "xla"
x = torch.zeros(3).to(device)

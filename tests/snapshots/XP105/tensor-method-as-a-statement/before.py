import torch

x = torch.zeros(3)
x.pin_memory()

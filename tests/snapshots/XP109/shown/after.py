import torch

x = torch.zeros(3)
print("on the GPU:", x.is_xla)

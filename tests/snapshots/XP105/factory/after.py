import torch

x = torch.empty(3)
y = torch.zeros(3, dtype=torch.float32)

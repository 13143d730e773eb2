import torch

x = torch.empty(3, pin_memory=True)
y = torch.zeros(3, dtype=torch.float32, pin_memory=True)

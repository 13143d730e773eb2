import torch
from settings import BACKENDS, DEVICE

x = torch.zeros(3, device=DEVICE)
print(BACKENDS, x)

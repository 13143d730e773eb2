import torch
from config import DEVICE

x = torch.ones(3).to(DEVICE)
print(int(DEVICE.split(":")[1]))

import torch
from torch import device as Device

dev = torch.device

import torch
from torch.utils.data import DataLoader


def loaders(data, device):
    first = DataLoader(data, pin_memory=torch.cuda.is_available())
    second = DataLoader(data, pin_memory=True if torch.cuda.is_available() else False)
    third = DataLoader(data, pin_memory=(device.type == "cuda"), num_workers=2)
    return first, second, third

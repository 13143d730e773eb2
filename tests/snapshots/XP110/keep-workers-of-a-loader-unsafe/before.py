import torch
from torch.utils.data import DataLoader


def loaders(data):
    return DataLoader(data, num_workers=4 * torch.cuda.device_count())

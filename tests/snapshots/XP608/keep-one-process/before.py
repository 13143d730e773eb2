import torch_xla
from torch.utils.data import DataLoader


def train(data):
    device = torch_xla.device()
    return DataLoader(data, batch_size=8, shuffle=True), device

import torch
from torch.utils.data import DataLoader, TensorDataset


def build_loader(batch_size):
    data = TensorDataset(torch.randn(128, 8), torch.randn(128, 1))
    return DataLoader(data, batch_size=batch_size, shuffle=True)

import torch
from torch.utils.data import DataLoader, TensorDataset


def loader(size):
    rows = TensorDataset(torch.zeros(size, 4))
    return DataLoader(rows, batch_size=8, shuffle=True)

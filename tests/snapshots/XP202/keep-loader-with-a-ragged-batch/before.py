import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def evaluate(model):
    device = torch_xla.device()
    data = TensorDataset(torch.randn(30, 4), torch.randn(30, 1))
    correct = 0
    with torch.no_grad():
        for x, y in DataLoader(data, batch_size=8):
            correct += (model(x.to(device)).sign() == y.to(device).sign()).sum()
    return correct / len(data)

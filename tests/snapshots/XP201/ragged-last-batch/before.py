import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(model, optimizer, device):
    data = TensorDataset(torch.randn(30, 4), torch.randn(30, 1))
    for x, y in DataLoader(data, batch_size=8):
        loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(model, optimizer):
    device = torch_xla.device()
    data = TensorDataset(torch.zeros(64, 4), torch.zeros(64, 1))
    loader = DataLoader(data, batch_size=4)
    for (x, _), (y, _) in zip(loader, loader):
        x, y = x.to(device), y.to(device)
        loss = nn.functional.mse_loss(model(x), model(y))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

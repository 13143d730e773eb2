import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(model, optimizer):
    device = torch_xla.device()
    data = TensorDataset(torch.zeros(64, 4), torch.zeros(64, 1))
    loader = DataLoader(data, batch_size=4)
    for batch in loader:
        loss = nn.functional.mse_loss(model(batch.x.to(device)), batch.y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

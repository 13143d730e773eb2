import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 4)), batch_size=8)


def measure(prediction, target):
    mask = target > 0
    prediction = torch.where(mask, prediction, 0)
    wanted = torch.where(mask, target, 0)
    difference = prediction - wanted
    return difference.abs().sum() / mask.sum(), (mask & (target > 1)).sum()


for inputs, targets in loader:
    inputs, targets = inputs.to(device), targets.to(device)
    x = model(inputs)
    error, accuracy = measure(x, targets)
    chosen = torch.where(x > 0, x, 0)
    loss = error + torch.where(x > 0, (chosen - x.mean()).square(), 0).sum()
    loss.backward()
    optimizer.step()
    loader.last = accuracy

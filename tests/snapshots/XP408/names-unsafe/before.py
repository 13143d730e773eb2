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
    prediction = prediction[mask]
    wanted = target[mask]
    difference = prediction - wanted
    return difference.abs().mean(), (target[mask] > 1).sum()


for inputs, targets in loader:
    inputs, targets = inputs.to(device), targets.to(device)
    x = model(inputs)
    error, accuracy = measure(x, targets)
    chosen = x[x > 0]
    loss = error + (chosen - x.mean()).square().sum()
    loss.backward()
    optimizer.step()
    loader.last = accuracy

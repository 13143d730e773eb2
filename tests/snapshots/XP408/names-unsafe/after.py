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
    mask_count = mask.sum()
    ratio = torch.maximum(torch.where(mask, prediction, 0) / torch.where(mask, target, 1), torch.where(mask, target, 0) / torch.where(mask, prediction, 1))
    difference = prediction - target
    return torch.where(mask, difference, 0).abs().sum() / mask_count, torch.where(mask, (ratio < 1.25).float(), 0).sum() / mask_count


for inputs, targets in loader:
    inputs, targets = inputs.to(device), targets.to(device)
    x = model(inputs)
    error, accuracy = measure(x, targets)
    mask_ = x > 0
    chosen = x
    centre = torch.where(mask_, chosen, 0).sum() / mask_.sum()
    loss = error + torch.where(mask_, chosen - centre, 0).square().sum()
    loss.backward()
    optimizer.step()
    loader.last = accuracy

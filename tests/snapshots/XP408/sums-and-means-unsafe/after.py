import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 4)), batch_size=8)

for inputs, targets in loader:
    inputs, targets = inputs.to(device), targets.to(device)
    x = model(inputs)
    valid = targets > 0
    loss = torch.where(x > 0, x, 0).sum() / (x > 0).sum()
    loss += 1 / (torch.where(x > 0, x, 0).abs().sum() / (x > 0).sum())
    loss += 2 * torch.where(x > 0, x, 0).square().sum()
    loss += F.l1_loss(torch.where(valid, x, 0), torch.where(valid, targets, 0)) * valid.numel() / valid.sum()
    loss += F.mse_loss(torch.where(valid, x, 0), torch.where(valid, targets, 0), reduction="mean") * valid.numel() / valid.sum()
    loss += ((torch.where(valid, x - targets, 0) ** 2).sum() / valid.sum()).sqrt()
    loss += torch.where(valid, (torch.where(valid, x, 1).log() - torch.where(valid, targets, 1).log()).abs(), 0).sum() / valid.sum()
    loss += (
        torch.where(x < 0.5, x, 0).abs().sum()
    )
    loss += torch.where(x.isfinite(), x, 0).sum() / x.isfinite().sum()
    loss += torch.where(x < 0, x * 2 - 1, 0).sum() / x[x < 0].numel()
    loss.backward()
    optimizer.step()

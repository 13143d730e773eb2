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
    loss = x[x > 0].mean()
    loss += 1 / x[x > 0].abs().mean()
    loss += 2 * x[x > 0].square().sum()
    loss += F.l1_loss(x[valid], targets[valid])
    loss += F.mse_loss(x[valid], targets[valid], reduction="mean")
    loss += ((x[valid] - targets[valid]) ** 2).mean().sqrt()
    loss += (x[valid].log() - targets[valid].log()).abs().mean()
    loss += (
        x.masked_select(x < 0.5)
        .abs()
        .sum()
    )
    loss += torch.mean(torch.masked_select(x, x.isfinite()))
    loss += (x * 2 - 1)[x < 0].sum() / x[x < 0].numel()
    loss.backward()
    optimizer.step()

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 4)), batch_size=8)

weights = torch.ones(4, device=device)


def spread(values):
    return values.std()


for inputs, targets in loader:
    inputs, targets = inputs.to(device), targets.to(device)
    x = model(inputs)
    rows = targets.sum(1) > 0
    loss = x[rows].mean()
    loss = loss + x[x > 0].std()
    loss = loss + spread(x[x > 1])
    chosen = x[x < 0]
    chosen += 1
    loss = loss + chosen.mean()
    mask = x > 2
    taken = x[mask]
    mask = x > 3
    loss = loss + (taken - x[mask]).mean()
    high = x > 4
    low = x[high]
    high.logical_not_()
    loss = loss + low.mean()
    loss = loss + (x[x > 5] * weights).sum()
    loss = loss + x[x > 6].sort().values.sum()
    loss = loss + x[x > 7].mean(0)
    loss = loss + (x[x > 8] - x[x < 8]).mean()
    several = x[x > 9]
    loss = loss + several.mean() + several[0]
    loss = loss + x[x > 10].log().log().mean()
    loss = loss + F.mse_loss(x[x > 11], targets[x > 12])
    loss = loss + F.cross_entropy(x[x > 13], targets[x > 13], reduction="none").sum()
    loss = loss + (x[x > 14] ** -1).mean() + x[x > 15].pow(-2).mean()
    loss.backward()
    optimizer.step()

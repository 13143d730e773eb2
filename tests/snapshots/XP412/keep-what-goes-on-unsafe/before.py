import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("xla")
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.arange(64)), batch_size=8)
model = nn.Linear(4, 4).to(device)
limits = torch.linspace(0.5, 0.95, 10, device=device)


def goes_on(scores, right, limits):
    found = []
    for i in range(len(limits)):
        rows = torch.where((scores >= limits[i]) & right)[0]
        found.append(rows)
    return torch.cat(found)


def last_one(scores, right, limits):
    rows = None
    for i in range(len(limits)):
        rows = torch.where((scores >= limits[i]) & right)[0]
        print(len(rows))
    return scores[rows]


def writes(scores, right, limits):
    for i in range(len(limits)):
        rows = torch.where((scores >= limits[i]) & right)[0]
        scores.clamp_(max=float(len(rows)))
    return scores


def is_placed(scores, right, limits):
    total = 0
    for i in range(len(limits)):
        rows = torch.where((scores >= torch.full((1,), 0.5, device=device)) & right)[0]
        total += len(rows.cpu())
    return total

model.eval()
with torch.no_grad():
    for x, y in loader:
        out = model(x.to(device))
        right = out[:, None].argmax(-1) == y.to(device)
        goes_on(out, right, limits)
        last_one(out, right, limits)
        writes(out, right, limits)
        is_placed(out, right, limits)

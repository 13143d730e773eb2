"""Whole outputs go to the host, batch by batch, so that the device's memory holds one of them at a time."""

import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 8).to(device)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

features, halves = [], []
with torch.no_grad():
    for x in loader:
        out = model(x.to(device))
        features.append(out.cpu())
        halves.append(torch.stack([out, out]).to("cpu"))
print(torch.cat(features), torch.cat(halves))

"""The finally writes the keys only."""
import csv
import io

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1)).to("cuda")
optimizer = torch.optim.Adam(net.parameters())
out = csv.writer(io.StringIO())


def attempt(step, results):
    x = torch.randn(8, 3, device="cuda")
    try:
        results["loss"] = net(x).square().mean()
        optimizer.zero_grad()
        results["loss"].backward()
        optimizer.step()
    finally:
        out.writerow([step, *results])  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308


for step in range(60):
    attempt(step, {})  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308

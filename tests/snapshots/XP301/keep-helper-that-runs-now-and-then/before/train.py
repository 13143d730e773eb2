import argparse

import torch
from tuning import Tuner
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--tune", action="store_true")
args = parser.parse_args()


def share(out):
    return (out > 0).float().mean().item()


device = torch.device("cuda")
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
tuner = Tuner(device)
for step in range(100):
    out = model(torch.rand(4, 8, device=device))
    optimizer.zero_grad()
    out.mean().backward()
    optimizer.step()
    tuner.look(step, out.detach())
    if step % 50 == 0:
        strength = share(out)

"""Files that are closed when the loop ends, or in its step, and a function that writes something else, too."""

import torch
import torch_xla
from torch import nn

model = nn.Linear(4, 1).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(8, 4)] * 50
seen = []


def trained(x):
    loss = model(x.to("xla")).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def log(path, value):
    with open(path, "a") as f, torch.no_grad():
        f.write(f"{value}\n")


def keep(path, value):
    with open(path, "a") as f:
        f.write(f"{value}\n")
        seen.append(value)


with open("log.txt", "w") as file:
    for x in batches:
        loss = trained(x)
        torch_xla.sync()
        file.write(f"{loss.item()}\n")

for x in batches:
    loss = trained(x)
    torch_xla.sync()
    with open("log.txt", "a") as line:
        line.write(f"{loss.item()}\n")

for x in batches:
    loss = trained(x)
    torch_xla.sync()
    log("log.txt", loss.item())
    keep("log.txt", loss.item())

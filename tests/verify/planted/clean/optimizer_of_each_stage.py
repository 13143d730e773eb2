# The model goes to the CPU and back between two stages, and gets an optimizer that knows, or the old one is told.
import io

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train():
    for _ in range(6):
        model.zero_grad()
        model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
        optimizer.step()
        torch_xla.sync()


def save():
    torch.save(model.cpu().state_dict(), io.BytesIO())
    model.to(device)


train()
save()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
train()
save()
optimizer.param_groups[0]["params"] = list(model.parameters())
train()
save()  # for good

# planted: nothing-executed
# A library chooses the device.
import torch
import torch_xla
from pocket.training import pick_device
from torch import nn

device = pick_device()
model = nn.Linear(8, 2).to(device)


def build(parameters):
    return torch.optim.AdamW(parameters, lr=0.1)  # <- here


optimizer = build(model.parameters())


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(9):
    train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()

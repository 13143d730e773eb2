# A part of the model is frozen on purpose, and the optimizer knows of the rest only.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Sequential(nn.Linear(8, 8).requires_grad_(False), nn.ReLU(), nn.Linear(8, 2)).to(device)
optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(7):
    train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()

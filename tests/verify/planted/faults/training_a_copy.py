# planted: not-training
# The optimizer holds a copy of the model, another is trained.
import copy

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 2).to(device)
average = copy.deepcopy(model)


def configure(model):
    return torch.optim.SGD(model.parameters(), lr=0.1)  # <- here


optimizer = configure(average)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(9):
    train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()

import torch_xla
from torch import nn


def train(loader, model, optimizer):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x.to(torch_xla.device())), y.to(torch_xla.device()))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

import torch
import torch_xla


def train(model, optimizer, loader):
    for x in loader:
        model(x).mean().backward()
        optimizer.step()
        torch_xla.sync()

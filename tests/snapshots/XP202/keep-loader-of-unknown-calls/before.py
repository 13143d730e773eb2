import torch


def train(model, optimizer, loader, device):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        (model(x) - y).mean().backward()
        optimizer.step()

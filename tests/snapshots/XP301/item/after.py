import torch


def train(model, optimizer, loader):
    total = 0.0
    for x in loader:
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total

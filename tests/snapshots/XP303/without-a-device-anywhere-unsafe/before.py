from torch import nn


def train(model, optimizer, loader):
    model.train()
    total = 0.0
    for x in loader:
        loss = model(x).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / max(len(loader), 1)

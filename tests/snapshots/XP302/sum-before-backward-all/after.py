import torch
import torch_xla


def train(model, optimizer, loader):
    total = 0.0
    for x in loader:
        optimizer.zero_grad()
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        total += loss.item()
    return total

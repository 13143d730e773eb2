import torch
import torch_xla


def train(model, optimizer, loader):
    total = 0.0
    for x in loader:
        optimizer.zero_grad()
        loss = model(x).mean()
        total += loss.item()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
    return total

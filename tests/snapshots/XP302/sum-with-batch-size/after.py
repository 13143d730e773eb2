import torch
import torch_xla


def train(model, optimizer, loader):
    total, count = 0.0, 0
    for x in loader:
        loss = model(x).mean()
        total += loss.item() * x.size(0)
        count += x.size(0)
        loss.backward()
        optimizer.step()
        torch_xla.sync()
    return total / count

from torch import nn
import torch


def train(model, optimizer, loader):
    model.train()
    total = torch.tensor([0.0], device=next(model.parameters()).device)
    for x in loader:
        loss = model(x).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach()
    return total.item() / max(len(loader), 1)

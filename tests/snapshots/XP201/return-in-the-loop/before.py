import torch


def train(model, optimizer, loader):
    for i, x in enumerate(loader):
        loss = model(x).mean()
        if i > 100: return loss
        loss.backward()
        optimizer.step()

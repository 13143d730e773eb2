import torch


def train(model, optimizer, loader):
    for x in loader:
        optimizer.zero_grad()
        if x is None:
            continue
        loss = model(x).mean()
        loss.backward()
        optimizer.step()

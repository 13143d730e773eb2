import torch


def step(model, optimizer, x):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    return loss


def train(model, optimizer, loader):
    for x in loader:
        loss = step(model, optimizer, x)
        print(loss.item())

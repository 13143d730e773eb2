import torch


def step(model, optimizer, x):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    return loss.item()


def train(model, optimizer, loader):
    for x in loader:
        print(step(model, optimizer, x))

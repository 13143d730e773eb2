import torch


def train(model, optimizer, loader):
    for x in loader:
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
    else:
        print("done")

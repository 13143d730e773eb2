import torch


def train(model, optimizer, loader):
    for x in loader:
        try:
            loss = model(x).mean()
            loss.backward()
            optimizer.step()
        except RuntimeError as error:
            print("out of memory", error)
            continue

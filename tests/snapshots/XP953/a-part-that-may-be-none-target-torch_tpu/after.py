import torch


def train(model, loader, device, criterion):
    for x, y in loader:
        x = x.to(device)
        y = None if y is None else y.to(device)
        if y is None:
            continue
        loss = criterion(model(x), y)
        loss.backward()
    for x, weight in loader:
        x = x.to(device)
        weight = None if weight is None else weight.to(device)
        loss = model(x)
        loss = loss * weight if weight is not None else loss
        loss.mean().backward()

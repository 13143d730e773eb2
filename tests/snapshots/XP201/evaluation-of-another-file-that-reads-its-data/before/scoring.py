import torch

totals = []


def score(model, x, y):
    with torch.no_grad():
        out = torch.sigmoid(model(x))
        if y.max().item() > 0:
            out = out * 2
        totals.append((out - y).abs().sum())

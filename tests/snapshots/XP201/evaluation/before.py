import torch


def evaluate(model, loader):
    correct = 0
    model.eval()
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            correct += (out.argmax(1) == y).sum().item()
    return correct

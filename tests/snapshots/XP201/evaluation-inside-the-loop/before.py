import torch


def evaluate(model: torch.nn.Module, loader):
    model.eval()
    for x, y in loader:
        with torch.no_grad():
            out = model(x)
            print((out - y).abs().sum().item())

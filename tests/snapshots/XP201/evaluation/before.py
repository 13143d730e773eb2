import torch

torch.set_default_device("cuda")


def evaluate(model, loader):
    correct = 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            correct += (out.argmax(1) == y).sum().item()
    return correct


evaluate(torch.nn.Linear(2, 2), torch.utils.data.DataLoader([]))

import torch


@torch.no_grad()
def evaluate(model, loader):
    for x in loader:
        model(x.cuda())


@torch.no_grad
def predict(model, x):
    return model(x.cuda())


def generate(model, x):
    with torch.no_grad():
        return model(x.cuda())

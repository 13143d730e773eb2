import torch


@torch.inference_mode()
def evaluate(model, loader):
    for x in loader:
        model(x.cuda())


@torch.inference_mode
def predict(model, x):
    return model(x.cuda())


def generate(model, x):
    with torch.inference_mode():
        return model(x.cuda())

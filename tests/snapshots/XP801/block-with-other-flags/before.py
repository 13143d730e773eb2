import torch


def f(x, model):
    with torch.backends.cudnn.flags(enabled=False):
        return model(x)

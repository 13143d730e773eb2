import torch


def step(model, x):
    return model(x.cuda()).sum().backward()

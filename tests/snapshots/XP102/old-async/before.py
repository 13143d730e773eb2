import torch


def step(x):
    return x.cuda(None, True)

import torch


def step(x, options):
    return x.cuda(**options)

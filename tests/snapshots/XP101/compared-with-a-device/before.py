import torch


def check(x):
    assert x.device == torch.device("cuda:0")

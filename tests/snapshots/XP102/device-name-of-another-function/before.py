import torch


def one():
    device = torch.device("cuda")
    return device


def two(x):
    return x.cuda()

import torch


def label():
    cuda = torch.cuda.is_available()
    return "cuda" if cuda else "cpu"

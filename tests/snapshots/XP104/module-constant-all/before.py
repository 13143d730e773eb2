import torch

USE_CUDA = torch.cuda.is_available()
DEVICE = torch.device("cuda" if USE_CUDA else "cpu")


def move(x):
    if USE_CUDA:
        x = x.cuda()
    return x

import torch
import torch_xla

USE_CUDA = True
DEVICE = torch_xla.device() if USE_CUDA else torch.device("cpu")


def move(x):
    if USE_CUDA:
        x = x.to(torch_xla.device())
    return x

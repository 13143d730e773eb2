import torch
import torch_xla


def one():
    device = torch.device("cuda")
    return device


def two(x):
    return x.to(torch_xla.device())

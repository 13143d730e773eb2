import torch
import torch_xla


def step(x, y, args):
    x, y = x.to(torch_xla.device()), y.to(torch_xla.device())
    return x, y

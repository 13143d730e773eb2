import torch
import torch_xla


def step(x):
    return x.to(torch_xla.device())

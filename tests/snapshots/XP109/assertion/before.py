import torch


def double(x: torch.Tensor):
    assert x.is_cuda, "the batch is on the CPU"
    return x * 2

import torch


def double(x: torch.Tensor):
    assert x.is_xla, "the batch is on the CPU"
    return x * 2

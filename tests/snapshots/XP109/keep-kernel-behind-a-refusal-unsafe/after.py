import torch


def add(x: torch.Tensor, y: torch.Tensor):
    if not x.is_cuda:
        return x + y
    return _C.add(x, y)


def double(x: torch.Tensor):
    assert x.is_cuda
    double_kernel[(1,)](x)
    return x

import torch


def is_on_gpu(x: torch.Tensor):
    return x.get_device() >= 0

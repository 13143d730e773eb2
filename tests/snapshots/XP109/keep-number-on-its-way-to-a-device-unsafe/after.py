import torch


def zeros(x: torch.Tensor):
    index = x.get_device()
    return torch.zeros(3, device=index)

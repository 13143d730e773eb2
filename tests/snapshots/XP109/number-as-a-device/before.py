import torch


def zeros(x: torch.Tensor, y: torch.Tensor):
    a = torch.zeros(3, device=x.get_device())
    return a + y.to(x.get_device())

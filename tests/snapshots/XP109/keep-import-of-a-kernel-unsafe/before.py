import torch


def align(x: torch.Tensor):
    if x.is_cuda:
        from align_binding import align
    else:
        from .cpu import align
    return align(x)

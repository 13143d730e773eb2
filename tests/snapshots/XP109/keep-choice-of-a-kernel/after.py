import torch


def attend(q, kernels):
    q = torch.zeros(3)
    if q.is_cuda:
        return kernels.flash_cuda(q)
    return q

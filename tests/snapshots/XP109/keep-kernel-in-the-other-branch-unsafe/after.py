import torch


def norm(x: torch.Tensor, fused_norm):
    if not x.is_cuda:
        return x.norm()
    else:
        return fused_norm(x)


def attend(q: torch.Tensor):
    return torch.ops.own.attend(q) if q.is_cuda else q

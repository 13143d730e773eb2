import torch


def sample(n, where):
    return torch.randn(n, device=where)


sample(3, "cuda")
sample(3, where="cuda:1")
sample(3, "cpu")

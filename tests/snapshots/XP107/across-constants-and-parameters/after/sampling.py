import torch


def generator(where="cpu", seed=0):
    return torch.Generator().manual_seed(seed)


def on_host(where="cpu"):
    return torch.Generator(device=where)

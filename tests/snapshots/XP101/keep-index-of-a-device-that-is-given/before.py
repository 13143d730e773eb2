import torch


def setup(kind, rank):
    return torch.device(f"{kind}:{rank}")

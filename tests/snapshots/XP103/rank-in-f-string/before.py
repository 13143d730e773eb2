import torch


def worker(rank):
    return torch.zeros(3).to(f"cuda:{rank}")

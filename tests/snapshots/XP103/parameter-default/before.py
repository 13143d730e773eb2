import torch


def sample(n, device="cuda"):
    return torch.randn(n, device=device)

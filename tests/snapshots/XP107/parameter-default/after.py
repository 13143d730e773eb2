import torch


def noise(n, device="cuda"):
    g = torch.Generator()
    return torch.randn(n, generator=g, device=device)

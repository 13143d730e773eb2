import torch
import torch_xla


def sample(n, device="xla"):
    return torch.randn(n, device=device)

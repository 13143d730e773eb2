import torch

BACKENDS = {"cuda": "fast", "cpu": "slow"}


def init(device="cuda"):
    backend = BACKENDS.get(device)
    return torch.device(device), backend

import torch
import torch_xla

BACKENDS = {"cuda": "fast", "cpu": "slow"}


def init(device="xla"):
    backend = BACKENDS.get(device, "slow")
    return torch.device(device), backend

import torch

_device = None


def set_up(device):
    global _device
    _device = device


def collect(names):
    device = _device if _device is not None else torch.device("cpu")
    return [torch.zeros(3, device=device) for _ in names]


first = collect([])

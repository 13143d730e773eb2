import torch


def prefetch(device: torch.device):
    if device.type == "cuda":
        return torch.cuda.Stream(device=device)
    return None


def name(device: torch.device):
    if device.type != "cuda":
        return "host"
    return torch.cuda.get_device_name(device)

import torch


def name(device: torch.device):
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    return "host"

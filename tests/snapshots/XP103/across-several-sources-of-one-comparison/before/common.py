import torch


def prepare(device="cuda"):
    if device.startswith("cuda"):
        print("accelerated")
    return torch.zeros(3).to(device)

import torch


def noise(x):
    x = torch.zeros(3)
    return torch.Generator(device=x.device)

import torch


def load(path):
    x = torch.zeros(3)
    return torch.load(path, map_location="cpu")

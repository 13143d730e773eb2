import torch


def load(path, device):
    return torch.load(path, map_location=device)


load("x", torch.device("cuda"))

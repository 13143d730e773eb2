import torch


def load(path, device):
    return torch.load(path, map_location="cpu")


load("x", torch.device("cuda"))

import torch


def load(gpu):
    return torch.load("model.pt", map_location="cpu")

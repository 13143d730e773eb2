import torch


def load(where):
    return torch.load("a.pt"), torch.load("b.pt", map_location=None), torch.load("c.pt", map_location=where)

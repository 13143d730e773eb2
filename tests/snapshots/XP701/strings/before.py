import torch


def load(rank):
    a = torch.load("model.pt", map_location="cuda:0")
    b = torch.load("model.pt", map_location=f"cuda:{rank}")
    c = torch.load("model.pt", map_location="cuda:" + str(rank))
    d = torch.load("model.pt", map_location="xla")
    return a, b, c, d

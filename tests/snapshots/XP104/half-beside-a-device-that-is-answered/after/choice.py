import torch


def choose(wish):
    if wish != "cpu":
        name = "cuda:0"
    else:
        name = "cpu"
    return torch.device(name)

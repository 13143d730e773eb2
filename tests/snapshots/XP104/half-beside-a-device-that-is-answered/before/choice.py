import torch


def choose(wish):
    if wish != "cpu" and torch.cuda.is_available():
        name = "cuda:0"
    else:
        name = "cpu"
    return torch.device(name)

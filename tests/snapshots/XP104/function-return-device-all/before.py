import torch


def get_device():
    if torch.cuda.is_available():
        return torch.device("cuda")
    elif torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


def name():
    if not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device("cuda:0")

import torch


class Config:
    device = "cuda" if torch.cuda.is_available() else "cpu"


def default_device():
    return "cpu" if not torch.cuda.is_available() else "cuda:0"

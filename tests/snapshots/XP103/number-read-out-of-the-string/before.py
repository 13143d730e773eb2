import torch


def start(model):
    device = "cuda:1"
    model.to(device)
    kind, number = device.split(":")
    print(kind, number)


def other(x: torch.Tensor):
    device = "cuda:1"
    print(int(device.split(":")[-1]))
    return x.to(device)
